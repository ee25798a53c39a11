"""Real TLS handshakes: certificates that somebody signed, that nobody did, and that are not the right one."""

from __future__ import annotations

import builtins
import hashlib
import random
import secrets
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trustme

from client import explanations
from client.address import parse, split_pin
from client.connection import Client
from client.errors import AddressError, HungUp, ServerFull, Untrusted
from client.explanations import explain
from client.wire import dial
from protocol.messages import ListMatches
from server.admission.admission import Admission
from server.admission.gate import GateOptions
from server.admission.tls import Pair, Tls, TlsError, load, own_pair
from server.app import App
from server.referee.referee import Referee
from server.referee.settings import Settings

PIN = "ab" * 32


@asynccontextmanager
async def serving(tls: Tls | None, options: GateOptions | None = None) -> AsyncGenerator[int]:
    app = App(partial(Referee, Settings(), random.Random(1), lambda: secrets.token_urlsafe(16), lambda: 0))
    app.tls = None if tls is None else tls.context
    app.admission = Admission(options)
    server = await app.start("127.0.0.1", 0)
    try:
        yield next(iter(server.sockets)).getsockname()[1]
    finally:
        await app.stop(server)


def client(url: str, name: str = "Ada", *, tls: ssl.SSLContext | None = None) -> Client:
    return Client(url, name=name, kind="human", dial=partial(dial, tls=tls), first_patience_s=0.5)


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Tls:
    return load(own_pair(tmp_path_factory.mktemp("tls")))


class TestPinned:
    async def test_the_certificate_of_the_address_is_accepted(self, own: Tls) -> None:
        async with serving(own) as port, client(f"wss://127.0.0.1:{port}#sha256={own.fingerprint}") as ada:
            assert (await ada.request(ListMatches)).players

    async def test_another_one_is_not_and_hears_nothing(self, own: Tls) -> None:
        async with serving(own) as port:
            with pytest.raises(Untrusted) as refused:
                async with client(f"wss://127.0.0.1:{port}#sha256={PIN}"):
                    pass
            assert refused.value.pinned
            assert "not the one in the address" in explanations.untrusted(refused.value)

    async def test_without_the_fingerprint_nobody_has_signed_it(self, own: Tls) -> None:
        async with serving(own) as port:
            with pytest.raises(Untrusted) as refused:
                async with client(f"wss://127.0.0.1:{port}"):
                    pass
            assert not refused.value.pinned
            said = explanations.untrusted(refused.value)
            assert "#sha256=" in said
            assert "has signed it" in said, "OpenSSL speaks English only"


class TestWrongScheme:
    async def test_without_encryption_at_a_server_that_encrypts(self, own: Tls) -> None:
        async with serving(own) as port:
            with pytest.raises(HungUp) as refused:
                async with client(f"ws://127.0.0.1:{port}"):
                    pass
            assert "wss://" in explain(refused.value)

    async def test_with_encryption_at_a_server_that_does_not(self) -> None:
        async with serving(None) as port:
            with pytest.raises(HungUp):
                async with client(f"wss://127.0.0.1:{port}"):
                    pass


class TestSigned:
    async def test_who_trusts_its_authority_connects(self, tmp_path: Path) -> None:
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1", "localhost")
        pair = Pair(tmp_path / "cert.pem", tmp_path / "key.pem")
        issued.private_key_pem.write_to_path(pair.key)
        for number, blob in enumerate(issued.cert_chain_pems):
            blob.write_to_path(pair.certificate, append=number > 0)
        trusting = ssl.create_default_context()
        authority.configure_trust(trusting)
        tls = load(pair)
        async with serving(tls) as port:
            async with client(f"wss://127.0.0.1:{port}", tls=trusting) as ada:
                await ada.request(ListMatches)
            async with client(f"wss://127.0.0.1:{port}#sha256={tls.fingerprint}") as ada:
                await ada.request(ListMatches)


class TestOwnCertificate:
    def test_it_is_made_once_and_its_key_is_the_owner_s(self, tmp_path: Path) -> None:
        folder = tmp_path / "made" / "here"
        first = load(own_pair(folder))
        assert load(own_pair(folder)).fingerprint == first.fingerprint
        assert (folder / "key.pem").stat().st_mode & 0o077 == 0
        assert load(own_pair(tmp_path / "other")).fingerprint != first.fingerprint

    def test_the_fingerprint_is_that_of_the_certificate(self, tmp_path: Path) -> None:
        pair = own_pair(tmp_path)
        der = ssl.PEM_cert_to_DER_cert(pair.certificate.read_text())
        assert load(pair).fingerprint == hashlib.sha256(der).hexdigest()

    def test_without_the_package_it_says_what_to_install(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        real = builtins.__import__

        def without(name: str, *args: Any, **kwargs: Any) -> Any:
            if name.startswith("cryptography"):
                raise ImportError(name)
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", without)
        with pytest.raises(TlsError, match="pip install cryptography"):
            own_pair(tmp_path / "none")

    def test_files_that_are_no_pair_are_one_sentence(self, tmp_path: Path) -> None:
        one, other = own_pair(tmp_path / "1"), own_pair(tmp_path / "2")
        (tmp_path / "junk").write_text("junk")
        for pair in (
            Pair(one.certificate, other.key), Pair(tmp_path / "junk", one.key), Pair(one.certificate, tmp_path / "no"),
        ):  # fmt: skip
            with pytest.raises(TlsError, match="can't be used"):
                load(pair)

    def test_a_folder_that_can_t_be_made_is_one_sentence(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(TlsError, match="can't be kept"):
            own_pair(tmp_path / "file" / "below")


class TestAddress:
    def test_the_fingerprint_is_part_of_it(self) -> None:
        assert parse(f"wss://games.example#sha256={PIN}") == f"wss://games.example:443#sha256={PIN}"
        assert parse(f"wss://h:1/x#SHA256={'AB:' * 31}AB") == f"wss://h:1/x#sha256={PIN}"
        assert split_pin(f"wss://h:1#sha256={PIN}") == ("wss://h:1", PIN)
        assert split_pin("ws://h:1") == ("ws://h:1", None)

    @pytest.mark.parametrize(
        "text",
        [f"ws://h#sha256={PIN}", f"h#sha256={PIN}", "wss://h#", "wss://h#sha256=", f"wss://h#sha256={PIN}0",
         f"wss://h#md5={PIN}", "wss://h#sha256=" + "g" * 64, f"wss://h#{PIN}", f"wss://h#sha256={PIN}#x"],
    )  # fmt: skip
    def test_half_of_one_is_refused(self, text: str) -> None:
        with pytest.raises(AddressError):
            parse(text)


class TestFull:
    async def test_a_full_server_is_not_taken_for_none(self) -> None:
        async with serving(None, GateOptions(connections=1)) as port, client(f"ws://127.0.0.1:{port}"):
            with pytest.raises(ServerFull):
                async with client(f"ws://127.0.0.1:{port}", "Bob"):
                    pass

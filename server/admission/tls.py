"""TLS: the operator's certificate, or one that the server makes for itself, which clients know by its fingerprint.

A self-signed certificate is as safe as any other for clients that compare its fingerprint. The address that the server
shows contains it (`wss://host:port#sha256=...`), and Arbitre's clients then accept no other certificate.
Errors: TlsError    no certificate can be read or made; the message is a sentence for the operator
"""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import socket
import ssl
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from locales import _
from locales.system import reason
from machine import folders

YEARS = 10
"""How long a certificate of our own is valid: clients trust its fingerprint, not its date."""


class TlsError(Exception):
    """TLS can't be set up."""


class Pair(NamedTuple):
    """The files of a certificate (with what signed it) and of its key, both PEM."""

    certificate: Path
    key: Path


class Tls(NamedTuple):
    """What a server needs: `fingerprint` is the SHA-256 of its certificate, in hexadecimal."""

    context: ssl.SSLContext
    fingerprint: str


def load(pair: Pair) -> Tls:
    """TLS with these files; raises TlsError."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(pair.certificate, pair.key, password=_no_password)
        fingerprint = _fingerprint(pair.certificate)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise TlsError(
            _("the certificate {certificate} with the key {key} can't be used ({reason}).").format(
                certificate=pair.certificate, key=pair.key, reason=why
            )
        ) from error
    return Tls(context, fingerprint)


def own_pair(folder: Path | None = None) -> Pair:
    """The certificate that this machine's server made for itself, made now if it has none; raises TlsError."""
    folder = folder or folders.data() / "tls"
    pair = Pair(folder / "certificate.pem", folder / "key.pem")
    if not (pair.certificate.exists() and pair.key.exists()):
        certificate, key = _make()
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(pair.key, key)
            _write(pair.certificate, certificate)
        except OSError as error:
            raise TlsError(
                _("the certificate can't be kept in {folder} ({reason}).").format(folder=folder, reason=reason(error))
            ) from error
    return pair


def _make() -> tuple[bytes, bytes]:
    """A new certificate for this machine, and its key; raises TlsError."""
    try:
        from cryptography import x509
        from cryptography.hazmat.primitives import hashes, serialization
        from cryptography.hazmat.primitives.asymmetric import ec
    except ImportError as error:
        raise TlsError(
            _("to make a certificate the package cryptography is needed: {command}.").format(
                command=f"{sys.executable} -m pip install cryptography"
            )
        ) from error
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Arbitre")])
    hosts = dict.fromkeys(("localhost", _host_name()))
    now = dt.datetime.now(dt.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=365 * YEARS))
        .add_extension(
            x509.SubjectAlternativeName(
                [*map(x509.DNSName, hosts), *(x509.IPAddress(ip_address(text)) for text in ("127.0.0.1", "::1"))]
            ),
            critical=False,
        )
        .sign(key, hashes.SHA256())
    )
    return certificate.public_bytes(serialization.Encoding.PEM), key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def _host_name() -> str:
    name = socket.gethostname()
    return name if name.isascii() and 0 < len(name) < 64 else "localhost"


def _write(path: Path, content: bytes) -> None:
    """Writes a file that only its owner may read, from the first byte on."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(content)


def _fingerprint(certificate: Path) -> str:
    text = certificate.read_text(encoding="ascii", errors="replace")
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    first = text[text.index(begin) : text.index(end) + len(end)]
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(first)).hexdigest()


def _no_password() -> str:
    """Asks nobody: a server has no one to type it."""
    raise ValueError(_("the key is protected by a password"))

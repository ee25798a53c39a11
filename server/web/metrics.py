"""The server's figures in the text format that Prometheus reads. Needs prometheus-client, an extra.

They are gathered when somebody asks; until then they are the plain numbers of `server.web.figures`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate

from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from server.web.figures import Histogram, State

CONTENT_TYPE = CONTENT_TYPE_PLAIN_0_0_4


class _Gathered(Collector):
    """One state as metrics."""

    def __init__(self, state: State) -> None:
        self._state = state

    def collect(self) -> Iterator[Metric]:
        state, figures = self._state, self._state.figures
        yield GaugeMetricFamily("arbitre_connections", "Open connections.", state.connections)
        yield _by("arbitre_early_connections", "Connections before their hello, by stage.", "stage", state.early)
        yield _by("arbitre_matches", "Matches that are held, by status.", "status", state.matches)
        for name, text, label, counts in (
            ("arbitre_refused_connections", "Connections turned away before their hello.", "reason", state.refused),
            ("arbitre_wrong_secrets", "Wrong passwords and tokens.", "secret", state.wrong),
        ):
            refused = CounterMetricFamily(name, text, labels=[label])
            for value, count in counts.items():
                refused.add_metric([value], count)
            yield refused
        yield CounterMetricFamily("arbitre_moves", "Moves played since the start.", state.moves)
        yield GaugeMetricFamily(
            "arbitre_queue_messages", "Messages that wait for the store or a slow reader.", state.queue
        )
        yield CounterMetricFamily("arbitre_aborted_peers", "Connections cut off: they did not read.", state.aborted)
        yield GaugeMetricFamily("arbitre_store_up", "Whether moves can be recorded.", float(state.store != "trouble"))
        yield CounterMetricFamily("arbitre_stalled_seconds", "Time left out of all clocks.", state.stalled_seconds)
        yield _histogram("arbitre_commit_seconds", "How long a commit takes.", figures.commits)
        yield _histogram("arbitre_loop_lag_seconds", "How late the event loop's heartbeat comes.", figures.lag)


def _by(name: str, text: str, label: str, counts: Mapping[str, int]) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, count in counts.items():
        family.add_metric([value], count)
    return family


def _histogram(name: str, text: str, histogram: Histogram) -> HistogramMetricFamily:
    bounds = [*map(str, histogram.bounds), "+Inf"]
    buckets = list(zip(bounds, map(float, accumulate(histogram.counts)), strict=True))
    return HistogramMetricFamily(name, text, buckets=buckets, sum_value=histogram.total)


def render(state: State) -> bytes:
    """The page that a Prometheus server asks for."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Gathered(state))
    return generate_latest(registry)

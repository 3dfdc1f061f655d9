"""A call is sent again after 429, 5xx and broken connections, as often as it allows, and after nothing else."""

import time

import pytest
from tests.model_server import ModelServer, Turn, closed_port, say
from tests.seams.models.test_provider_model import KEY, PROVIDERS, model_at, over, question

from loreweave.seams.models.language_model import ModelFault, ModelReply
from loreweave.seams.models.open_model import ModelKeys, open_model


def asked_twice_more(server: ModelServer, provider: str = "anthropic") -> ModelReply:
    return over(model_at(server, provider), lambda line: line.ask(question(retries=2)))


@pytest.mark.holds("session.agent.model-repeats")
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("first", [say(status=429), say(status=500), say(status=529), say(fault="reset")])
def test_a_failure_that_passes_is_tried_again(model_server: ModelServer, provider: str, first: Turn) -> None:
    model_server.script(first, say("a"))
    assert asked_twice_more(model_server, provider).text == "a"
    assert len(model_server.asked) == 2


@pytest.mark.holds("session.agent.model-repeats")
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_that_says_how_long_to_wait_is_asked_no_sooner(model_server: ModelServer, provider: str) -> None:
    model_server.script(say(status=429, headers=(("retry-after-ms", "700"),)), say("a"))
    started = time.monotonic()
    assert asked_twice_more(model_server, provider).text == "a"
    assert time.monotonic() - started >= 0.7


@pytest.mark.holds("session.agent.model-repeats")
def test_a_failure_that_stays_is_tried_three_times_in_all(model_server: ModelServer) -> None:
    model_server.script(*[say(status=503)] * 5)
    with pytest.raises(ModelFault):
        asked_twice_more(model_server)
    assert len(model_server.asked) == 3


@pytest.mark.holds("session.agent.model-repeats")
@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("status", [400, 401, 403, 404, 408, 409, 413, 422])
def test_any_other_refusal_is_one_request(model_server: ModelServer, provider: str, status: int) -> None:
    model_server.script(*[say(status=status)] * 3)
    with pytest.raises(ModelFault):
        asked_twice_more(model_server, provider)
    assert len(model_server.asked) == 1


@pytest.mark.holds("session.agent.model-repeats")
def test_an_address_where_nobody_listens_stays_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    model = open_model("anthropic:x", ModelKeys(KEY, f"http://127.0.0.1:{closed_port()}"))
    assert model is not None
    with pytest.raises(ModelFault) as refused:
        over(model, lambda line: line.ask(question(retries=2)))
    assert refused.value.code == "model_unreachable"


@pytest.mark.holds("session.tokens.cache-is-input", "session.tokens.cost")
def test_tokens_of_a_cache_are_input_and_cost_what_the_table_says(model_server: ModelServer) -> None:
    usage = {
        "input_tokens": 1_000,
        "output_tokens": 100,
        "cache_read_input_tokens": 400,
        "cache_creation_input_tokens": 200,
    }
    model_server.script(say("a", usage=usage))
    reply = asked_twice_more(model_server)
    assert (reply.input_tokens, reply.output_tokens) == (1_600, 100)
    # Dollars a million tokens: 1 for input, 5 for output, 0.1 read from the cache, 1.25 written to it.
    assert reply.cost_usd == pytest.approx((1_000 * 1 + 100 * 5 + 400 * 0.1 + 200 * 1.25) / 1e6)


@pytest.mark.holds("session.tokens.cost")
def test_a_model_without_a_price_costs_nothing(model_server: ModelServer) -> None:
    model_server.script(say("a"))
    model = open_model("openai:somebodys-own", ModelKeys(openai_url=model_server.openai_url))
    assert model is not None
    reply = over(model, lambda line: line.ask(question()))
    assert (reply.input_tokens, reply.output_tokens, reply.cost_usd) == (11, 7, 0.0)

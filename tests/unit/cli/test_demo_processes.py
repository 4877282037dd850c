"""The demo's child processes."""

import time

import httpx

from lastvalue.cli.demo_processes import END_TIMEOUT_S, DemoProcess, start_broker


async def test_a_broker_tells_where_it_listens_and_where_its_console_is() -> None:
    broker, (url, gateway) = await start_broker(0, serves_http=True)
    try:
        assert url.startswith("amqp://127.0.0.1:")
        async with httpx.AsyncClient(timeout=120) as client:
            assert (await client.get(f"{gateway}/console/")).status_code == 200
    finally:
        await broker.end()


async def test_without_its_packages_there_is_no_console_and_topics_may_have_a_queue() -> None:
    broker, urls = await start_broker(0, serves_http=False, topics=("positions/{id}", "positions"))
    await broker.end()
    assert [url.partition(":")[0] for url in urls] == ["amqp"]


async def test_a_process_is_told_what_is_known_later() -> None:
    process = await DemoProcess.start("feed", ["-c", "print(input())"])
    process.tell("--url 'amqp://127.0.0.1'")
    assert [line async for line in process.lines()] == ["--url 'amqp://127.0.0.1'"]
    await process.end()


async def test_a_process_that_does_not_look_at_its_input_ends_at_once() -> None:
    """One that starts Spark does not."""
    process = await DemoProcess.start(
        "feed", ["-c", "import time; print('begun', flush=True); time.sleep(600)"]
    )
    assert await anext(process.lines()) == "begun"
    began_s = time.monotonic()
    await process.end()
    assert time.monotonic() - began_s < END_TIMEOUT_S
    assert (await process.failed()).args[0].startswith("the feed ended with exit code -15")

"""Calls of Python libraries: calls.py LIBRARY TASK. The address, key and model come from the environment."""

import asyncio
import os
import sys

BASE = os.environ["FEATHER_BASE_URL"]
KEY = os.environ["FEATHER_API_KEY"]
MODEL = os.environ["FEATHER_MODEL"]
CALL = 'CALL weather {"city":"Oslo"}'
library, task = sys.argv[1:3]
prompt = CALL if task == "tools" else "ping"
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Weather of a city",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}


def weather(city: str) -> str:
    """Weather of a city."""
    return f"sunny in {city}"


def use_litellm() -> None:
    import litellm

    of = {"model": f"openai/{MODEL}", "api_base": f"{BASE}/v1", "api_key": KEY, "max_retries": 0}
    if task == "embeddings":
        print("vector", litellm.embedding(input=["ping"], **of).data[0]["embedding"])
        return
    asked = {"messages": [{"role": "user", "content": prompt}], **of}
    if task == "stream":
        print("".join(part.choices[0].delta.content or "" for part in litellm.completion(stream=True, **asked)))
    elif task == "tools":
        call = litellm.completion(tools=[WEATHER], **asked).choices[0].message
        result = {"role": "tool", "tool_call_id": call.tool_calls[0].id, "content": weather("Oslo")}
        of["messages"] = [*asked["messages"], call.model_dump(), result]
        print(litellm.completion(tools=[WEATHER], **of).choices[0].message.content)
    else:
        print(litellm.completion(**asked).choices[0].message.content)


def use_pydantic_ai() -> None:
    from pydantic_ai import Agent
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai import OpenAIProvider

    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=f"{BASE}/v1", api_key=KEY))
    agent = Agent(model, tools=[weather] if task == "tools" else [])

    async def stream() -> None:
        async with agent.run_stream(prompt) as result:
            print(await result.get_output())

    if task == "stream":
        asyncio.run(stream())
    else:
        print(agent.run_sync(prompt).output)


def use_instructor() -> None:
    import instructor
    from openai import OpenAI
    from pydantic import BaseModel

    class City(BaseModel):
        city: str

    client = instructor.from_openai(OpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0))
    asked = [{"role": "user", "content": 'CALL City {"city":"Oslo"}'}]
    print(client.chat.completions.create(model=MODEL, response_model=City, messages=asked, max_retries=0).city)


def use_agents() -> None:
    from agents import Agent, OpenAIChatCompletionsModel, Runner, function_tool, set_tracing_disabled
    from openai import AsyncOpenAI

    set_tracing_disabled(True)
    client = AsyncOpenAI(base_url=f"{BASE}/v1", api_key=KEY, max_retries=0)
    tools = [function_tool(weather)] if task == "tools" else []
    agent = Agent(name="a", model=OpenAIChatCompletionsModel(model=MODEL, openai_client=client), tools=tools)

    async def stream() -> None:
        result = Runner.run_streamed(agent, prompt)
        async for _ in result.stream_events():
            pass
        print(result.final_output)

    if task == "stream":
        asyncio.run(stream())
    else:
        print(Runner.run_sync(agent, prompt).final_output)


{
    "litellm": use_litellm,
    "pydantic-ai": use_pydantic_ai,
    "instructor": use_instructor,
    "openai-agents": use_agents,
}[library]()

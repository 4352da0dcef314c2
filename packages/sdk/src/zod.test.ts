import { sendJson } from "@feather/testing/http-server";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { OutputError } from "./errors.ts";
import { startTestClient } from "./testing/client.ts";
import { zodFormat, zodTool } from "./zod.ts";

const Bird = z.object({ name: z.string(), grams: z.number() });
const ask = {
  model: "m/n",
  messages: [{ role: "user" as const, content: "A bird" }],
  response_format: zodFormat(Bird, "bird"),
};
const respondWith = (content: string, finish_reason = "stop") => ({
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }],
});

test("parse returns data of the schema, typed, and sends the schema", async () => {
  using server = await startTestClient((_, response) =>
    sendJson(response, 200, respondWith('{"name":"wren","grams":9}')),
  );
  const answer = await server.feather.chat.completions.parse(ask);
  const [first] = answer.choices;
  expect(first?.message.parsed).toEqual({ name: "wren", grams: 9 });
  expectTypeOf(first?.message.parsed).toEqualTypeOf<{ name: string; grams: number } | undefined>();
  const { response_format } = JSON.parse(server.requests[0]?.body ?? "") as { response_format: object };
  expect(response_format).toEqual({
    type: "json_schema",
    json_schema: { name: "bird", strict: true, schema: expect.objectContaining({ required: ["name", "grams"] }) },
  });
});

test.each([
  ["not JSON", respondWith("A wren."), /not of the shape/],
  ["of another shape", respondWith('{"name":"wren"}'), /not of the shape/],
  ["truncated", respondWith('{"name":"wr', "length"), /limit of tokens/],
])("output that is %s throws an error with the content", async (_, answer, message) => {
  using server = await startTestClient((_request, response) => sendJson(response, 200, answer));
  const error = await server.feather.chat.completions.parse(ask).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OutputError);
  expect(error).toMatchObject({ message: expect.stringMatching(message), content: answer.choices[0]?.message.content });
});

test("withResponse works on parsed completions too", async () => {
  using server = await startTestClient((_, response) =>
    sendJson(response, 200, respondWith('{"name":"wren","grams":9}')),
  );
  expect((await server.feather.chat.completions.parse(ask).withResponse()).requestId).toBe("req_1");
});

test("a tool's arguments with a default may be omitted, and a transformation is applied to them", async () => {
  const tool = zodTool({
    name: "weather",
    description: "The weather of a city",
    parameters: z.object({
      city: z.string().transform((city) => city.toUpperCase()),
      unit: z.enum(["celsius", "fahrenheit"]).default("celsius"),
    }),
    run: (input) => input,
  });
  expect(tool.parameters).toMatchObject({
    required: ["city"],
    properties: { city: { type: "string" }, unit: { default: "celsius", enum: ["celsius", "fahrenheit"] } },
  });
  expect(await tool.run({ city: "Oslo" })).toEqual({ city: "OSLO", unit: "celsius" });
});

test("a tool whose arguments are of another shape does not run", () => {
  const tool = zodTool({ name: "x", description: "", parameters: z.object({ city: z.string() }), run: () => "ran" });
  expect(() => tool.run({ city: 4 })).toThrow(/city/);
});

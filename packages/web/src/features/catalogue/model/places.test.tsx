import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { formatHostedWithCountry, type Place } from "#/entities/models/hosted.ts";
import { listElsewhere } from "#/entities/models/place-names.ts";
import { Places } from "./places.tsx";

afterEach(cleanup);

const HERE: Place = {
  kind: "server",
  name: "This server",
  provider: null,
  hosted: "here",
  location: null,
  region: null,
  state: "warm",
  price: null,
  context_length: 40_960,
  max_completion_tokens: null,
  quantization: "Q4_K_M",
  abilities: { tools: null, images: null, structured_output: null, reasoning: null },
};
const MISTRAL: Place = {
  ...HERE,
  kind: "provider",
  name: "Mistral",
  provider: "mistral",
  hosted: "elsewhere",
  location: "EU",
  quantization: null,
  context_length: null,
  price: {
    prompt: "0.0000001",
    completion: "0.0000003",
    cached_prompt: "0.00000001",
    input: 0.1,
    output: 0.3,
    cached_input: 0.01,
    image: "0.04",
  },
  abilities: { tools: true, images: false, structured_output: null, reasoning: null },
};
const CLOUD: Place = { ...MISTRAL, name: "AWS Bedrock", provider: "bedrock", location: "chosen", region: "eu-west-1" };
const PRIVATE: Place = { ...HERE, kind: "network", name: "A server of the operator", backend: "rack-7" };

const rowOf = (name: string) => within(screen.getByRole("row", { name: new RegExp(name) }));

test("each place is a row with its region, its price, its context and what it states", () => {
  render(<Places places={[HERE, MISTRAL, CLOUD]} />);
  expect(rowOf("This server").getByText("weights as Q4_K_M")).toBeTruthy();
  expect(rowOf("This server").getByText("40Ki")).toBeTruthy();
  expect(rowOf("This server").getByText("not stated")).toBeTruthy();
  expect(rowOf("Mistral").getByText("elsewhere, European Union")).toBeTruthy();
  expect(rowOf("Mistral").getByText("$0.10 read")).toBeTruthy();
  expect(rowOf("Mistral").getByText("$0.01 read from a cache")).toBeTruthy();
  expect(rowOf("Mistral").getByText("$0.04 each picture")).toBeTruthy();
  expect(rowOf("Mistral").getByText("$0.30 written")).toBeTruthy();
  expect(rowOf("Mistral").getByText("tools")).toBeTruthy();
  expect(rowOf("AWS Bedrock").getByText("elsewhere, eu-west-1")).toBeTruthy();
});

test("admins see the name of a backend, and without prices there is no column for them", () => {
  render(<Places places={[PRIVATE]} />);
  expect(rowOf("A server of the operator").getByText("rack-7")).toBeTruthy();
  expect(screen.queryByText(/price/)).toBeNull();
});

test("a model that nothing runs has no table of places", () => {
  expect(render(<Places places={[]} />).container.textContent).toBe("");
});

test.each<[string, Place[], string | null]>([
  ["runs here alone", [HERE], "Runs here"],
  ["one provider runs", [MISTRAL], "Elsewhere, European Union"],
  ["providers of different regions run", [MISTRAL, CLOUD], "Elsewhere"],
  ["runs at both", [HERE, MISTRAL], "Here and elsewhere, European Union"],
  ["nothing runs", [], null],
])("the badge of a model that %s", (_title, places, badge) => {
  const hosted = (["here", "elsewhere"] as const).filter((where) => places.some((place) => place.hosted === where));
  expect(formatHostedWithCountry({ hosted, places })).toBe(badge);
});

test("places elsewhere are named once each", () => {
  expect(listElsewhere({ places: [HERE, MISTRAL, MISTRAL, CLOUD] })).toBe("Mistral or AWS Bedrock");
  expect(listElsewhere({ places: [HERE] })).toBeNull();
});

import { expect, test } from "vitest";
import { listEmbeddingChoices, toEmbeddingChoice, toEmbeddingModel } from "./embedding-choice.ts";

const WITH_MODEL = { embedding_model: "acme/old" };
const WITHOUT = { embedding_model: null };

test("a new collection gets the model that the server chooses, unless a person does", () => {
  const choice = toEmbeddingChoice(null);
  expect(listEmbeddingChoices(null, ["acme/embed"])[0]?.value).toBe(choice);
  expect(toEmbeddingModel(choice, null)).toEqual({});
  expect(toEmbeddingModel("acme/embed", null)).toEqual({ embedding_model: "acme/embed" });
});

test("a stored collection offers its model once, also when it cannot be called any more", () => {
  const values = (models: string[]) => listEmbeddingChoices(WITH_MODEL, models).map(({ value }) => value);
  expect(values(["acme/embed"])).toEqual([expect.any(String), "acme/old", "acme/embed"]);
  expect(values(["acme/old"])).toEqual([expect.any(String), "acme/old"]);
});

test("the model of a stored collection is sent only when it changes, so that vectors are not made anew", () => {
  expect(toEmbeddingModel("acme/old", WITH_MODEL)).toEqual({});
  expect(toEmbeddingModel(toEmbeddingChoice(WITHOUT), WITHOUT)).toEqual({});
  expect(toEmbeddingModel(toEmbeddingChoice(WITHOUT), WITH_MODEL)).toEqual({ embedding_model: null });
});

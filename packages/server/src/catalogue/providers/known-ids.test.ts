import { expect, test } from "vitest";
import { findKnownId, withKnownIds } from "./known-ids.ts";
import { MODEL_NAMES } from "./model-names.ts";
import { findProvider } from "./providers.ts";

const GROQ = "https://api.groq.com/openai/v1";
const GOOGLE = "https://generativelanguage.googleapis.com/v1beta";
const OPENROUTER = "https://openrouter.ai/api/v1";

test.each([
  ["a model that a provider calls otherwise", GROQ, "llama-3.1-8b-instant", "meta-llama/Llama-3.1-8B-Instruct"],
  ["the same name at a provider that does not use it", OPENROUTER, "llama-3.1-8b-instant", null],
  ["the same name at an unknown server", "http://localhost:8000/v1", "llama-3.1-8b-instant", null],
  ["a name in another letter case", GROQ, "LLAMA-3.1-8b-instant", null],
  ["a model of Google", GOOGLE, "models/gemini-3-pro", "google/gemini-3-pro"],
  ["a model of Google without its prefix", GOOGLE, "gemini-3-pro", null],
  ["the prefix of Google elsewhere", GROQ, "models/gemini-3-pro", null],
  ["an empty name", GROQ, "", null],
  ["an address that is none", "groq", "llama-3.1-8b-instant", null],
])("the id of %s is known by our own lists: %s, %s", (_what, address, name, id) => {
  expect(findKnownId(address, name)).toBe(id);
});

test.each(["constructor", "toString", "hasOwnProperty", "__proto__"])(
  "a model named %s, which all objects have, is not taken for a known one",
  (name) => {
    expect(findKnownId(GROQ, name)).toBeNull();
    expect(withKnownIds(GROQ, [{ name }])).toEqual([{ name, knownId: null }]);
    expect(withKnownIds(OPENROUTER, [{ name: "a", knownId: name }])).toEqual([{ name: "a", knownId: name }]);
  },
);

test("an id that the list of a backend says itself comes before our own, and other fields stay", () => {
  const models = [
    { name: "llama-3.1-8b-instant", knownId: "acme/other", contextLength: 5 },
    { name: "llama-3.1-8b-instant", knownId: null, contextLength: 6 },
    { name: "unknown", contextLength: 7 },
  ];
  expect(withKnownIds(GROQ, models)).toEqual([
    { name: "llama-3.1-8b-instant", knownId: "acme/other", contextLength: 5 },
    { name: "llama-3.1-8b-instant", knownId: "meta-llama/Llama-3.1-8B-Instruct", contextLength: 6 },
    { name: "unknown", knownId: null, contextLength: 7 },
  ]);
  expect(withKnownIds(GROQ, [])).toEqual([]);
});

test("a repository that was renamed has its new id, also where a list still names the former one", () => {
  const former = "meta-llama/Meta-Llama-3.1-8B-Instruct";
  expect(withKnownIds(OPENROUTER, [{ name: "llama", knownId: former }])).toEqual([
    { name: "llama", knownId: "meta-llama/Llama-3.1-8B-Instruct" },
  ]);
});

test("the lists of names are those of providers, and lead to ids of repositories that have not been renamed", () => {
  for (const [provider, names] of Object.entries(MODEL_NAMES)) {
    expect(findProvider(provider)?.id).toBe(provider);
    for (const [name, id] of Object.entries(names)) {
      expect(id).toMatch(/^[\w.-]+\/[\w.-]+$/);
      expect([name, withKnownIds("", [{ name, knownId: id }])]).toEqual([name, [{ name, knownId: id }]]);
    }
  }
});

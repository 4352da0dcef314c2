import { expect, test } from "vitest";
import { privateModelKey } from "../../../platform/core/models/model-keys.ts";
import { createRegisteredKeys } from "./registered-keys.ts";

const rowOf = (model_id: string, organization_id: string | null = null) => ({
  model_id,
  organization_id,
  parameter_size: 7,
});

/** Returns keys for a catalogue that spells ids in lower case, and what it was asked to add. */
function createKeys() {
  const adopted: object[] = [];
  const keys = createRegisteredKeys(async (models) => {
    adopted.push(...models);
    return new Map([...models].map(({ id }) => [id, id.toLowerCase()]));
  });
  return { keys, adopted };
}

test("a public model is added to the catalogue, and its key is the catalogue's spelling of its id", async () => {
  const { keys, adopted } = createKeys();
  expect(await keys.resolve(rowOf("Acme/Model"), 4_096)).toBe("acme/model");
  expect(adopted).toEqual([{ id: "Acme/Model", contextLength: 4_096, parameterSize: 7 }]);
  expect(keys.of(rowOf("Acme/Model"))).toBe("acme/model");
  expect(keys.listPrivate()).toEqual([]);
});

test("a private model is not added to the catalogue, and its key names its organization", async () => {
  const { keys, adopted } = createKeys();
  const key = privateModelKey("org_1", "Acme/Model");
  expect(await keys.resolve(rowOf("Acme/Model", "org_1"), null)).toBe(key);
  expect(keys.of(rowOf("Acme/Model", "org_1"))).toBe(key);
  expect([adopted, keys.listPrivate()]).toEqual([[], [key]]);
});

test("a private model whose key is deleted is listed no more", async () => {
  const { keys } = createKeys();
  await keys.resolve(rowOf("acme/one", "org_1"), null);
  await keys.resolve(rowOf("acme/two", "org_1"), null);
  keys.delete(privateModelKey("org_1", "acme/one"));
  expect(keys.listPrivate()).toEqual([privateModelKey("org_1", "acme/two")]);
});

test("the key of a public model that was not registered is its id", () => {
  expect(createKeys().keys.of(rowOf("acme/unknown"))).toBe("acme/unknown");
});

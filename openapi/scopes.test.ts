import { expect, test } from "vitest";
import { checkScopes, listApplicationScopes, readScopes } from "./scopes.ts";

const scopes = readScopes();
const ids = scopes.map(({ id }) => id);
const applicationIds = listApplicationScopes(scopes).map(({ id }) => id);
const contract = (keyScopes: string[]) => ({
  components: { schemas: { Scope: { enum: keyScopes }, ApplicationScope: { enum: applicationIds } } },
});

test("applications can request all scopes but that of admins", () => {
  expect(ids.filter((id) => !applicationIds.includes(id))).toEqual(["admin"]);
});

test("accepts a contract with exactly the scopes of scopes.yaml", () => {
  expect(() => checkScopes(contract(ids), scopes)).not.toThrow();
});

test.each([
  ["lacks one", ids.slice(1)],
  ["has one more", [...ids, "files.write"]],
])("refuses a contract that %s", (_what, keyScopes) => {
  expect(() => checkScopes(contract(keyScopes), scopes)).toThrow(/Scope\.yaml needs the enum/);
});

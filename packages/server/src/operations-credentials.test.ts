import { describe, expect, test } from "vitest";
import { loadContract } from "./http/contract.ts";
import { allowsAnonymous, isAdminOnly, listProperties, OPERATIONS, type Schema } from "./testing/contract-walk.ts";

/** Names of fields that contain secrets. */
const SECRET_FIELDS = ["secret", "client_secret", "token", "access_token", "refresh_token", "recovery_codes"];
type Answers = { responses?: Record<string, { content?: Record<string, { schema?: Schema }> }> };
const { document } = loadContract();

function returnsSecret({ path, method }: { path: string; method: string }): boolean {
  const item = document.paths[path] as Record<string, Answers> | undefined;
  const answers = Object.entries(item?.[method.toLowerCase()]?.responses ?? {});
  return answers.some(([status, { content }]) => {
    const schema = content?.["application/json"]?.schema;
    return (
      status.startsWith("2") && schema !== undefined && SECRET_FIELDS.some((name) => name in listProperties(schema))
    );
  });
}

describe("operations that return a secret", () => {
  const theirs = OPERATIONS.filter((operation) => returnsSecret(operation) && !allowsAnonymous(operation));

  test("operations that return a secret are found in the contract", () => {
    const names = theirs.map(({ operationId }) => operationId);
    for (const name of ["apiKeys.create", "apiKeys.rotate", "applications.create", "deployments.create"])
      expect(names).toContain(name);
  });

  test("operations that return a secret are forbidden during impersonation", () => {
    const left = theirs.filter((operation) => operation.allowsImpersonation && !isAdminOnly(operation));
    expect(left.map(({ operationId }) => operationId)).toEqual([]);
  });

  test("operations that return a secret require more than the default scope of keys or a read scope", () => {
    const scopesOf = theirs.map(({ operationId, security }) => [
      operationId,
      security.find((alternative) => "bearer" in alternative)?.bearer ?? [],
    ]);
    expect(scopesOf.filter(([, scopes]) => scopes?.includes("api.access") || scopes?.includes("user.read"))).toEqual(
      [],
    );
  });
});

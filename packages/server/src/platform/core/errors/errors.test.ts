import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ErrorEntry, readErrors } from "@feather/openapi/errors";
import { describe, expect, test } from "vitest";
import { AppError, createError, createForwardedError, errors, hasCode } from "./index.ts";
import { renderFactories } from "./render-factories.ts";

const SOURCE = fileURLToPath(new URL("../../../", import.meta.url));
const sources = globSync("**/*.ts", {
  cwd: SOURCE,
  exclude: ["platform/core/errors/**", "**/*.test.ts", "testing/**"],
}).map((name) => ({ name, text: readFileSync(SOURCE + name, "utf8") }));
const entries = readErrors().flatMap((section) => section.errors);

describe("an error of the contract", () => {
  test("an error of the contract has its status, its code, and a message with the values of the case", () => {
    expect(errors.deployments.nameTaken({ name: "bot" })).toMatchObject({
      status: 409,
      code: "deployments.name_taken",
      message: "There is a deployment called bot already.",
    });
  });

  test("an error of the contract has its usual message when none is given", () => {
    expect(errors.unauthorized().message).toBe("Sign in, or send an API key.");
    expect(errors.unauthorized("Log in.").message).toBe("Log in.");
  });

  test("an error of the contract has another status only where one is given", () => {
    expect(errors.auth.wrongPasskey().status).toBe(401);
    expect(errors.auth.wrongPasskey({ status: 400 }).status).toBe(400);
  });

  test("an error of the contract tells clients not to repeat it where that cannot help, and when to repeat it where it can", () => {
    expect(errors.payments.off().headers).toEqual({ "x-should-retry": "false" });
    expect(errors.organizationPermissionDenied("No.").headers).toEqual({ "x-should-retry": "false" });
    expect(errors.payments.pending().headers).toEqual({ "retry-after": "5" });
    expect(errors.hub.unavailable("No.", { retryAfterSeconds: 9 }).headers).toEqual({ "retry-after": "9" });
  });

  test("an error of the contract names the scheme of authentication with every 401", () => {
    expect(errors.sessionEnded().headers["www-authenticate"]).toMatch(/^Bearer /);
  });
});

test("an error whose code is known at run time has the status of its code", () => {
  expect(createError("coupons.expired", "Too old.")).toMatchObject({ status: 409, code: "coupons.expired" });
  expect(createForwardedError("tool_missing", "No.")).toMatchObject({ status: 400, code: "tool_missing" });
  expect(createForwardedError(null, "No.").code).toBe("invalid_request");
});

test("recognizes errors by their code", () => {
  expect(hasCode(errors.hub.notFound({ subject: "model a/b" }), "hub.not_found")).toBe(true);
  expect(hasCode(errors.hub.notFound({ subject: "model a/b" }), "not_found")).toBe(false);
  expect(hasCode(new Error("hub.not_found"), "hub.not_found")).toBe(false);
});

test("keeps dollar signs, backticks and backslashes of messages", () => {
  const value = "{price}";
  const entry: ErrorEntry = { code: "odd", statuses: [400], message: `\`\\ costs $${value}, not $5.` };
  expect(renderFactories([entry])).toContain(`\`\\\`\\\\ costs \\$$${value}, not $5.\``);
});

test("errors are created from the contract's list only", () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(sources.filter(({ text }) => text.includes("new AppError(")).map(({ name }) => name)).toEqual([]);
  expect(new AppError(418, "x", "x")).toBeInstanceOf(Error);
});

test("every error of the contract's list is used", () => {
  const all = sources.map(({ text }) => text).join("\n");
  const toFactory = (code: string) =>
    `errors.${code.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`;
  const isUsed = (code: string) =>
    new RegExp(`${toFactory(code).replace(".", "\\.\\s*")}\\b`).test(all) || all.includes(`"${code}"`);
  const unused = entries.map(({ code }) => code).filter((code) => !isUsed(code));
  // `couponRejected` builds these codes from parts.
  expect(unused.filter((code) => !/^coupons\.(expired|ended|used_up|already_used|not_for_plan)$/.test(code))).toEqual(
    [],
  );
});

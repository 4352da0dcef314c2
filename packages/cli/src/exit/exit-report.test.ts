import {
  AbortedError,
  ConnectionError,
  CredentialError,
  errorFrom,
  StreamTruncatedError,
  TimeoutError,
} from "@feather/sdk";
import { CommanderError } from "commander";
import { describe, expect, test } from "vitest";
import {
  DifferenceError,
  InterruptedError,
  ResourceNotFoundError,
  SignInError,
  UsageError,
  WaitTimeoutError,
  WorkFailedError,
} from "../errors.ts";
import { toExitReport } from "./exit-report.ts";

const api = (status: number, code = "some_code", details = {}) =>
  errorFrom(
    status,
    new Headers({ "request-id": "req_1" }),
    JSON.stringify({ error: { message: "No.", code, details } }),
  );

describe("exit codes", () => {
  test.each<[string, unknown, number]>([
    ["something unforeseen", new Error("x"), 1],
    ["something thrown that is no error", "x", 1],
    ["wrong use", new UsageError("x"), 2],
    ["an unknown flag", new CommanderError(1, "commander.unknownOption", "error: unknown option '--x'"), 2],
    ["a request that is not valid", api(400), 2],
    ["something missing", api(404), 3],
    ["something that no list of the server holds", new ResourceNotFoundError("x", "y"), 3],
    ["nobody signed in", new SignInError("x"), 4],
    ["a credential that does not hold", api(401), 4],
    ["something not allowed", api(403), 4],
    ["an answer that somebody else stopped", api(400, "request_stopped"), 5],
    ["a model that loads, where the operator answers 400", api(400, "model_loading"), 9],
    ["awaited work that failed", new WorkFailedError("x"), 5],
    ["a conflict", api(409), 6],
    ["files that differ from what runs", new DifferenceError("x"), 6],
    ["credit", api(402), 7],
    ["a rate limit", api(429), 7],
    ["a plan that is too small", api(403, "model_not_on_plan"), 7],
    ["waiting that took too long", new WaitTimeoutError("x"), 8],
    ["a server fault", api(500), 9],
    ["a server that is not available", api(503), 9],
    ["no connection", new ConnectionError("x"), 10],
    ["no answer in time", new TimeoutError("x"), 10],
    ["an answer cut off", new StreamTruncatedError("half"), 10],
    ["a key that is no key", new CredentialError("x"), 4],
    ["Ctrl-C in a request", new AbortedError("x"), 130],
    ["Ctrl-C in a question", new InterruptedError("x"), 130],
    ["help", new CommanderError(0, "commander.helpDisplayed", ""), 0],
  ])("%s", (_, error, code) => {
    expect(toExitReport(error).exitCode).toBe(code);
  });
});

test("an API error keeps its code and request id, and suggests close names", () => {
  const report = toExitReport(api(404, "model_not_found", { suggestions: ["feather/demo"] }));
  expect(report).toMatchObject({ code: "model_not_found", requestId: "req_1", message: "No." });
  expect(report.notes).toContainEqual(["close", "feather/demo"]);
});

test("a refusal for lack of units names the flag instead of the header", () => {
  const message =
    "All units are in use. Try again when a request has ended, or send x-queue-timeout to wait your turn.";
  const error = errorFrom(
    429,
    new Headers(),
    JSON.stringify({ error: { message, code: "concurrency_limit_exceeded" } }),
  );
  expect(toExitReport(error)).toMatchObject({
    message: "All units are in use. Try again when a request has ended.",
    notes: [["try", "--queue 60 to wait your turn"]],
  });
});

test("an error with a code is never reported as a wrong address", () => {
  expect(toExitReport(api(200, "upstream_error"))).toMatchObject({ code: "upstream_error", message: "No." });
});

test("a mistyped command suggests the right one", () => {
  const error = new CommanderError(1, "commander.unknownCommand", "error: unknown command 'lst'\n(Did you mean list?)");
  expect(toExitReport(error, "feather keys")).toMatchObject({
    message: "unknown command 'lst'",
    notes: [
      ["close", "list"],
      ["try", "feather keys --help"],
    ],
  });
});

test.each([
  ["logs", "feather", "feather deployments logs <name>"],
  ["rm", "feather keys", "feather keys delete"],
  ["frobnicate", "feather keys", "feather keys --help"],
  ["constructor", "feather", "feather --help"],
])("the habit of typing %s after %s gets the command that does it", (word, group, hint) => {
  const error = new CommanderError(1, "commander.unknownCommand", `error: unknown command '${word}'`);
  expect(toExitReport(error, group).notes).toEqual([["try", hint]]);
});

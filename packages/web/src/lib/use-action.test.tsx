import { ApiError } from "@feather/sdk";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, describe, expect, test } from "vitest";
import { type NewToast, ToastContext } from "./toast.ts";
import { useAction } from "./use-action.ts";

type Mutation = Parameters<typeof useAction<string, string>>[0];
type Options = NonNullable<Parameters<typeof useAction<string, string>>[1]>;

const refusal = new ApiError({ status: 403, code: "forbidden", message: "That is not yours.", requestId: null });

/** Renders the hook, and records its toasts. */
function setUp(mutation: Mutation, options: Options = {}) {
  const client = new QueryClient();
  const toasts: NewToast[] = [];
  const show = (toast: NewToast) => {
    toasts.push(toast);
    return { id: "1", update: () => {}, dismiss: () => {} };
  };
  const { result } = renderHook(() => useAction(mutation, options), {
    wrapper: ({ children }: { children: ReactNode }) => (
      <QueryClientProvider client={client}>
        <ToastContext value={show}>{children}</ToastContext>
      </QueryClientProvider>
    ),
  });
  return { client, toasts, action: () => result.current };
}

/** Returns a call that the test ends. */
function createPendingCall() {
  const sent: string[] = [];
  let end = (): void => {};
  const mutation: Mutation = (input) => {
    sent.push(input);
    return new Promise((resolve) => {
      end = () => resolve("done");
    });
  };
  return { sent, mutation, end: () => end() };
}

afterEach(cleanup);

test("a success is shown in a toast, and its value returned", async () => {
  const { toasts, action } = setUp(async (name) => name.toUpperCase(), {
    success: (result, name) => `${name} is ${result}`,
  });
  await act(async () => expect(await action().run("a")).toEqual({ value: "A" }));
  expect(toasts).toEqual([{ title: "a is A", variant: "success" }]);
});

test("the undo of the toast runs the inverse", async () => {
  const sent: string[] = [];
  const { toasts, action } = setUp(
    async (state) => {
      sent.push(state);
      return state;
    },
    { success: (state) => state, undo: (run, state) => () => run(state === "on" ? "off" : "on") },
  );
  await act(() => action().run("on"));
  await act(async () => toasts[0]?.action?.run());
  expect(sent).toEqual(["on", "off"]);
});

test("no undo is offered where the action cannot be taken back", async () => {
  const { toasts, action } = setUp(async (name) => name, { success: (name) => name, undo: () => null });
  await act(() => action().run("a"));
  expect(toasts[0]?.action).toBeUndefined();
});

describe("an error", () => {
  const fail = () => Promise.reject(refusal);

  test("an error of an action is shown in a toast", async () => {
    const { toasts, action } = setUp(fail);
    await act(async () => expect(await action().run("a")).toBeNull());
    expect(toasts).toEqual([{ title: "That is not yours.", variant: "destructive" }]);
    await waitFor(() => expect(action().error).toBe(refusal));
  });

  test("an error of an action is left to a caller that shows it itself", async () => {
    const { toasts, action } = setUp(fail, { showsError: true });
    await act(() => action().run("a"));
    expect(toasts).toEqual([]);
    await waitFor(() => expect(action().error).toBe(refusal));
  });

  test("an error of an action is thrown to a form, without a toast", async () => {
    const { toasts, action } = setUp(fail);
    await act(async () => expect(action().submit("a")).rejects.toBe(refusal));
    expect(toasts).toEqual([]);
  });

  test("an error of an action takes back what was shown before the answer", async () => {
    const { client, action } = setUp(fail, {
      optimistic: (cache) => {
        cache.setQueryData(["name"], "new");
        return () => cache.setQueryData(["name"], "old");
      },
    });
    await act(() => action().run("a"));
    expect(client.getQueryData(["name"])).toBe("old");
  });
});

test.each([
  ["a success", async () => "done"],
  ["an error", () => Promise.reject(refusal)],
])("an action loads again what it names after %s", async (_, mutation) => {
  const { client, action } = setUp(mutation, { invalidates: [["names"]] });
  client.setQueryData(["names", 1], "a");
  client.setQueryData(["others"], "b");
  await act(() => action().run("a"));
  expect(client.getQueryState(["names", 1])?.isInvalidated).toBe(true);
  expect(client.getQueryState(["others"])?.isInvalidated).toBe(false);
});

describe("while it runs", () => {
  test("the same input is not sent again, and another is", async () => {
    const call = createPendingCall();
    const { action } = setUp(call.mutation);
    act(() => {
      void action().run("a");
      void action().run("a");
      void action().run("b");
    });
    await waitFor(() => expect(call.sent).toEqual(["a", "b"]));
  });

  test("a form that sends the same input twice gets the one answer", async () => {
    const call = createPendingCall();
    const { action } = setUp(call.mutation);
    const answers = [action().submit("a"), action().submit("a")];
    await waitFor(() => expect(call.sent).toEqual(["a"]));
    await act(async () => call.end());
    expect(await Promise.all(answers)).toEqual(["done", "done"]);
  });

  test("an action is busy while it runs", async () => {
    const call = createPendingCall();
    const { action } = setUp(call.mutation);
    act(() => void action().run("a"));
    await waitFor(() => expect(action().busy).toBe(true));
    await act(async () => call.end());
    await waitFor(() => expect(action().busy).toBe(false));
  });
});

test("changes of one scope run one after the other, also the same one twice", async () => {
  const sent: string[] = [];
  const { action } = setUp(
    async (state) => {
      sent.push(state);
      return state;
    },
    { scope: "saved" },
  );
  await act(() => Promise.all(["on", "off", "on"].map((state) => action().run(state))));
  expect(sent).toEqual(["on", "off", "on"]);
});

test("nothing more is sent after a success that leaves the page", async () => {
  const sent: string[] = [];
  const { action } = setUp(
    async (name) => {
      sent.push(name);
      return name;
    },
    { once: true },
  );
  await act(() => action().run("a"));
  await waitFor(() => expect(action().busy).toBe(true));
  await act(() => action().run("a"));
  expect(sent).toEqual(["a"]);
});

test("a repeat after a lost connection has the same idempotency key, and one after a refusal has not", async () => {
  const keys: string[] = [];
  const outcomes: unknown[] = [new TypeError("fetch failed"), refusal, refusal];
  const { action } = setUp(
    (_, { idempotencyKey }) => {
      keys.push(idempotencyKey);
      return Promise.reject(outcomes[keys.length - 1]);
    },
    { showsError: true },
  );
  for (const _ of outcomes) await act(() => action().run("a"));
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[1]);
});

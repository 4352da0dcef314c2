import type { User } from "@feather/sdk";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";
import { clearUser, userQuery } from "#/entities/session/user.ts";
import { syncSessions } from "./session-sync.ts";

type Message = { data: unknown };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** Returns two tabs of one browser, on a server that stores who is signed in. */
function twoTabs() {
  const server = { user: null as { id: string } | null };
  const listeners: ((message: Message) => void)[] = [];
  const open = () => {
    const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const own: ((message: Message) => void)[] = [];
    const sent = vi.fn();
    const channel = {
      postMessage(data: unknown) {
        sent(data);
        for (const listener of listeners) if (!own.includes(listener)) listener({ data });
      },
      addEventListener(_: string, listener: unknown) {
        own.push(listener as (message: Message) => void);
        listeners.push(listener as (message: Message) => void);
      },
      close: () => {},
    };
    ends.push(syncSessions(client, channel as unknown as BroadcastChannel));
    const ask = () =>
      client.fetchQuery({ ...userQuery, queryFn: async () => server.user as User | null, staleTime: 0 });
    const become = (user: { id: string }) => {
      server.user = user;
      client.setQueryData(userQuery.queryKey, user as User);
    };
    const logOut = () => {
      server.user = null;
      clearUser(client);
    };
    return { client, ask, become, logOut, sent };
  };
  return { server, a: open(), b: open() };
}

test("a sign-in or sign-out reaches the other tab, which does not send it back", async () => {
  const { a, b } = twoTabs();
  await Promise.all([a.ask(), b.ask()]);
  a.become({ id: "usr_1" });
  expect(a.sent.mock.calls).toEqual([["usr_1"]]);
  expect(b.client.getQueryData(userQuery.queryKey)).toBeUndefined(); // to be asked anew
  await b.ask();
  expect(b.client.getQueryData(userQuery.queryKey)).toEqual({ id: "usr_1" });
  a.logOut();
  await b.ask();
  expect(b.client.getQueryData(userQuery.queryKey)).toBeNull();
  expect(b.sent).not.toHaveBeenCalled();
});

test("a tab drops the data of another user", async () => {
  const { a, b } = twoTabs();
  await Promise.all([a.ask(), b.ask()]);
  b.client.setQueryData(["api-keys"], ["secret of usr_1"]);
  a.become({ id: "usr_2" });
  expect(b.client.getQueryData(["api-keys"])).toBeUndefined();
});

test("an expired session is not broadcast to other tabs", async () => {
  const { server, a, b } = twoTabs();
  server.user = { id: "usr_1" };
  await Promise.all([a.ask(), b.ask()]);
  b.client.setQueryData(["draft"], "half a sentence");
  server.user = null;
  await a.ask();
  expect(a.sent).not.toHaveBeenCalled();
  expect(b.client.getQueryData(["draft"])).toBe("half a sentence");
});

test("a tab broadcasts neither the first load nor a changed name", async () => {
  const { server, a, b } = twoTabs();
  server.user = { id: "usr_1" };
  await Promise.all([a.ask(), b.ask()]);
  a.become({ id: "usr_1" });
  expect(a.sent).not.toHaveBeenCalled();
  expect(b.client.getQueryData(userQuery.queryKey)).toEqual({ id: "usr_1" });
});

test("the session of a tab works without BroadcastChannel", () => {
  expect(() => syncSessions(new QueryClient(), null)()).not.toThrow();
});

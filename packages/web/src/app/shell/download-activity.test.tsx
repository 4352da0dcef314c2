import type { StorePull } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { pull } from "#/testing/admin.ts";
import { type FakeEventSource, stubEventSource } from "#/testing/event-source.ts";
import { openSite } from "#/testing/site.tsx";

let streams: FakeEventSource[] = [];
beforeEach(() => {
  streams = stubEventSource();
  vi.spyOn(console, "info").mockImplementation(() => {});
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const MINUTE_MS = 60_000;
const running: Sent<StorePull> = { ...pull, state: "downloading", bytes_done: 1e9, bytes_total: 4e9 };

/** Opens a page as an admin, with these downloads, which the test may change. */
async function openAsAdmin(pulls: Sent<StorePull>[], isAdmin = true) {
  const site = await openSite("/status", [
    http.auth.me(buildUser({ is_admin: isAdmin })),
    http.admin.store.pulls.list(() => ({ items: pulls })),
    http.admin.store.pulls.cancel(
      () => {
        pulls[0] = { ...running, state: "canceled" };
        return undefined;
      },
      { params: { id: running.id } },
    ),
  ]);
  await screen.findByRole("button", { name: /^Account menu/ });
  const readCount = () => site.requests.filter(({ path }) => path === "/admin/store/pulls").length;
  return { ...site, readCount };
}
const button = () => screen.findByRole("button", { name: "1 download is running" });

test("admins see on every page how many downloads are running, and how far each is", async () => {
  await openAsAdmin([running, { ...pull, id: "pull_0", state: "done" }]);
  await userEvent.click(await button());
  const list = within(await screen.findByRole("dialog", { name: "Downloads" }));
  expect(list.getByText(/^Downloading: 1\.0 GB of 4\.0 GB/)).toBeTruthy();
  expect(list.getAllByRole("listitem")).toHaveLength(1);
  expect(list.getByRole("link", { name: /support-8b/ }).getAttribute("href")).toBe("/models/acme/support-8b");
  expect(list.getByRole("link", { name: "All downloads" }).getAttribute("href")).toBe("/admin/downloads");
});

test("a download is stopped there, and says so until the list was closed", async () => {
  const { requests } = await openAsAdmin([running]);
  await userEvent.click(await button());
  await userEvent.click(await screen.findByRole("button", { name: "Stop the download of acme/support-8b" }));
  const list = within(await screen.findByRole("dialog", { name: "Downloads" }));
  expect(await list.findByText("Stopped. What was downloaded is kept.")).toBeTruthy();
  expect(requests.some(({ method, path }) => method === "DELETE" && path === "/admin/store/pulls/pull_1")).toBe(true);
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("button", { name: /download/i })).toBeNull());
});

test("a download that fails while the page is open is marked", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const pulls = [running];
  await openAsAdmin(pulls);
  await button();
  pulls[0] = { ...running, state: "failed", error: "The disk is full." };
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(await screen.findByRole("button", { name: "A download has failed" }));
  expect(await screen.findByText("The download failed: The disk is full.")).toBeTruthy();
});

test("the list follows the events of the server, without being read again", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { readCount } = await openAsAdmin([running]);
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
  await user.click(await button());
  expect(streams.map(({ url }) => url)).toEqual(["/api/admin/store/pulls/stream"]);
  const count = readCount();
  for (let gigabytes = 1; gigabytes <= 3; gigabytes++) {
    const progress = { bytes_per_second: 1e9, seconds_left: 4 - gigabytes };
    await act(async () => {
      streams[0]?.send({ items: [{ ...running, bytes_done: gigabytes * 1e9, ...progress }] });
      await vi.advanceTimersByTimeAsync(1_500);
    });
  }
  expect(await screen.findByText(/^Downloading: 3\.0 GB of 4\.0 GB/)).toBeTruthy();
  expect(readCount()).toBe(count);
  act(() => streams[0]?.send({ items: [{ ...running, state: "done" }] }));
  expect(await screen.findByText("Downloaded. It can be called.")).toBeTruthy();
  expect(streams[0]?.readyState).toBe(EventSource.CLOSED);
});

test("the list is read again while the stream of events is broken", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const pulls = [running];
  const { readCount } = await openAsAdmin(pulls);
  await button();
  streams[0]?.fail(true);
  const count = readCount();
  pulls[0] = { ...running, state: "done" };
  await act(() => vi.advanceTimersByTimeAsync(3_000));
  expect(readCount()).toBeGreaterThan(count);
  expect(await screen.findByRole("button", { name: "Downloads have ended" })).toBeTruthy();
});

test("without a running download nothing is shown, and the downloads are read once", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { readCount } = await openAsAdmin([{ ...pull, state: "done" }]);
  await waitFor(() => expect(readCount()).toBe(1));
  await act(() => vi.advanceTimersByTimeAsync(MINUTE_MS));
  expect(readCount()).toBe(1);
  expect(screen.queryByRole("button", { name: /download/i })).toBeNull();
});

test("others than admins do not read the downloads", async () => {
  const { readCount } = await openAsAdmin([running], false);
  expect(readCount()).toBe(0);
  expect(screen.queryByRole("button", { name: /download/i })).toBeNull();
});

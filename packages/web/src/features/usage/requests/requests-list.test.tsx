import { http, refuse } from "@feather/sdk/msw";
import { buildApiKey, buildPage, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { storage } from "#/lib/browser/storage.ts";
import { buildReceipt } from "#/testing/chat.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import { chooseOption } from "#/testing/select.ts";
import { RequestsList } from "./requests-list.tsx";

beforeEach(() => storage.clear());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PERIOD = { from: "2026-11-01", to: "2026-11-21" };
const TOTALS = {
  request_count: 1204,
  input_tokens: 9000,
  output_tokens: 400,
  total_tokens: 9400,
  total_cost_nano_usd: "1250000000",
};
const RECEIPTS = [
  buildReceipt({ id: "req_a", api_key_id: "key_1", user_id: maria.id, cost_status: "final", cost_nano_usd: "58000" }),
  buildReceipt({ id: "req_b", model: "feather/demo", outcome: "failed", error_code: "upstream_error", place: "groq" }),
];
const MEMBERS = [
  { user_id: maria.id, name: "Maria Winter", email: "maria@example.com", role: "admin", joined_at: PERIOD.from },
  { user_id: "usr_2", name: "Jonas Sommer", email: "jonas@example.com", role: "viewer", joined_at: PERIOD.from },
];

const server = (receipts = RECEIPTS): StubHandlers => [
  http.apiKeys.list(buildPage([buildApiKey({ id: "key_1", name: "laptop" })])),
  http.organization.members.list({ items: MEMBERS } as never),
  http.usage.activity.report({ start_date: "2026-11-01T00:00:00Z", end_date: "2026-11-22T00:00:00Z", items: [] }),
  http.usage.requests.get(({ params }) => receipts.find(({ id }) => id === params.id) ?? buildReceipt()),
  http.usage.activity.requests({ ...buildPage(receipts), totals: TOTALS }),
];
function show(search = "", handlers = server(), user = maria) {
  const empty = { title: "Nothing was called", text: "", action: null };
  const list = <RequestsList user={user} period={PERIOD} empty={empty} />;
  return renderPage(list, "/usage", `/usage${search}`, handlers);
}
const queriesOf = ({ requests }: ReturnType<typeof show>) =>
  requests.filter(({ path }) => path === "/usage/activity/requests").map(({ query }) => Object.fromEntries(query));
const rowOf = (name: RegExp) => screen.findByRole("row", { name });

describe("the list of requests", () => {
  test("a row shows the key, the member, the cost and the result of a request", async () => {
    show();
    const row = within(await rowOf(/Qwen3-32B/));
    for (const text of ["laptop", "Maria Winter", "$0.000058", "done"]) expect(row.getByText(text)).toBeTruthy();
    const failed = within(await rowOf(/demo/));
    for (const text of ["this site", "in the plan", "backend failed"]) expect(failed.getByText(text)).toBeTruthy();
  });

  test("the sums of what the filters leave stand above the rows", async () => {
    show("?outcome=failed");
    expect((await screen.findByText(/1,204 requests/)).textContent).toBe(
      "1,204 requests · 9,000 tokens in, 400 out · $1.25",
    );
  });

  test("every filter of the address is sent, and a chip takes it off", async () => {
    const shown = show("?api_key_id=key_1&outcome=failed&sort=started_at");
    await rowOf(/Qwen3-32B/);
    expect(queriesOf(shown)[0]).toMatchObject({ api_key_id: "key_1", outcome: "failed", sort: "started_at" });
    await userEvent.click(await screen.findByRole("button", { name: "Take off the filter Key: laptop" }));
    await waitFor(() => expect(queriesOf(shown).at(-1)).not.toHaveProperty("api_key_id"));
    expect(shown.router.state.location.search).toBe("?outcome=failed&sort=started_at");
  });

  test("a place that was seen in the list can be filtered by", async () => {
    const shown = show();
    await rowOf(/demo/);
    await chooseOption(screen.getByRole("combobox", { name: "Answered at" }), "groq");
    await waitFor(() => expect(queriesOf(shown).at(-1)).toMatchObject({ place: "groq" }));
  });

  test("an id is searched in all time", async () => {
    const shown = show();
    await rowOf(/demo/);
    await userEvent.type(screen.getByLabelText("Request id"), "req_4fJq{Enter}");
    await waitFor(() => expect(queriesOf(shown).at(-1)).toMatchObject({ id: "req_4fJq", start: "0" }));
    expect(queriesOf(shown).at(-1)).not.toHaveProperty("end");
  });

  test("the list says when it cannot be read", async () => {
    show("", [http.usage.activity.requests(refuse(400, "invalid_request", "start must not be later.")), ...server()]);
    expect((await screen.findByRole("alert")).textContent).toContain("start must not be later.");
  });
});

describe("the filter by member", () => {
  test.each([
    ["admin", ["Any", "Maria Winter", "Jonas Sommer"]],
    ["developer", ["Any", "Maria Winter"]],
  ] as const)("the filter by member offers a member with the role %s: %j", async (role, expected) => {
    show("", server(), buildUser({ role, id: maria.id }));
    await rowOf(/demo/);
    await userEvent.click(screen.getByRole("combobox", { name: "Member" }));
    const options = await screen.findAllByRole("option");
    expect(options.map(({ textContent }) => textContent)).toEqual(expected);
  });
});

describe("the receipt of a request", () => {
  const link = (name: RegExp) => screen.findByRole("link", { name });

  test("the link of a row opens the receipt in a panel, Escape closes it, and the focus returns", async () => {
    const shown = show("?outcome=failed");
    const opener = await link(/^Receipt of Qwen/);
    opener.focus();
    await userEvent.keyboard("{Enter}");
    const panel = within(await screen.findByRole("dialog", { name: "Receipt" }));
    expect(panel.getByText("req_a")).toBeTruthy();
    expect(shown.router.state.location.search).toBe("?outcome=failed&request=req_a");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(shown.router.state.location.search).toBe("?outcome=failed");
    await waitFor(() => expect(document.activeElement?.getAttribute("href")).toBe(opener.getAttribute("href")));
  });

  test("the address of a receipt opens it, also when the list does not have it", async () => {
    show("?request=req_b", [http.usage.activity.requests(buildPage([])), ...server()]);
    expect(within(await screen.findByRole("dialog")).getByRole("heading", { name: "Receipt" })).toBeTruthy();
    expect(await screen.findByText("req_b")).toBeTruthy();
  });
});

describe("following new requests", () => {
  const follow = () => screen.getByRole("checkbox", { name: "Follow new requests" });

  test("a list that is followed is read again and again, and shows what is new", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let receipts = RECEIPTS.slice(0, 1);
    const list = http.usage.activity.requests(() => buildPage(receipts));
    const shown = show("", [list, ...server()]);
    await rowOf(/Qwen3-32B/);
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(queriesOf(shown)).toHaveLength(1);
    const user = userEvent.setup({ delay: null });
    await user.click(follow());
    receipts = RECEIPTS;
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(await rowOf(/demo/)).toBeTruthy();
    await user.click(follow());
    const count = queriesOf(shown).length;
    await act(() => vi.advanceTimersByTimeAsync(20_000));
    expect(queriesOf(shown)).toHaveLength(count);
  });

  test("nothing is read while the tab is hidden", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const shown = show();
    await rowOf(/Qwen3-32B/);
    await userEvent.setup({ delay: null }).click(follow());
    const hide = (state: DocumentVisibilityState) => {
      vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
      window.dispatchEvent(new Event("visibilitychange"));
      document.dispatchEvent(new Event("visibilitychange"));
    };
    hide("hidden");
    const count = queriesOf(shown).length;
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    expect(queriesOf(shown)).toHaveLength(count);
    hide("visible");
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(queriesOf(shown).length).toBeGreaterThan(count);
  });

  test.each(["?page=2", "?sort=started_at"])(
    "the list of %s cannot be followed, for new requests are elsewhere",
    async (search) => {
      show(search);
      await rowOf(/Qwen3-32B/);
      expect(follow()).toHaveProperty("disabled", true);
    },
  );
});

test("the file has all pages of what the filters leave", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    files.push(blob as Blob);
    return "blob:x";
  });
  const pages = http.usage.activity.requests(({ request }) => {
    const page = Number(new URL(request.url).searchParams.get("page"));
    const receipt = RECEIPTS[page - 1] ?? buildReceipt();
    return { items: [receipt], pagination: { current_page: page, per_page: 1, total_items: 2, total_pages: 2 } };
  });
  const shown = show("?outcome=failed", [pages, ...server()]);
  const button = await screen.findByRole("button", { name: "Export requests as CSV" });
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = ((await files[0]?.text()) ?? "").trimEnd().split("\r\n");
  expect(lines.map((line) => line.split(",")[0])).toEqual(["id", "req_a", "req_b"]);
  expect(queriesOf(shown).every(({ outcome }) => outcome === "failed")).toBe(true);
});

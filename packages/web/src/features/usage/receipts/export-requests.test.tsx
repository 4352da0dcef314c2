import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { buildReceipt } from "#/testing/chat.ts";
import { renderPage } from "#/testing/page.tsx";
import { ExportRequests } from "./export-requests.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const PERIOD = { from: "2026-11-01", to: "2026-11-21" };
const press = () => userEvent.click(screen.getByRole("button", { name: "Export requests as CSV" }));

test("the export contains the requests of all pages", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    files.push(blob as Blob);
    return "blob:x";
  });
  let page = 0;
  const { requests } = renderPage(<ExportRequests period={PERIOD} total={3} />, "/", "/", [
    http.usage.activity.requests(() => {
      page += 1;
      const items =
        page === 1 ? [buildReceipt({ id: "req_1" }), buildReceipt({ id: "req_2" })] : [buildReceipt({ id: "req_3" })];
      return { items, pagination: { current_page: page, per_page: 2, total_items: 3, total_pages: 2 } };
    }),
  ]);
  await press();
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = ((await files[0]?.text()) ?? "").split("\r\n");
  expect(lines.slice(1, 4).map((line) => line.split(",")[0])).toEqual(["req_1", "req_2", "req_3"]);
  expect(requests).toHaveLength(2);
});

test("the export is disabled without requests, and shows errors", async () => {
  renderPage(<ExportRequests period={PERIOD} total={0} />, "/", "/", []);
  expect(screen.getByRole("button")).toHaveProperty("disabled", true);
  const { requests } = renderPage(<ExportRequests period={PERIOD} total={1} />, "/", "/", [
    http.usage.activity.requests(refuse(400, "invalid_request", "start must not be later than end.")),
  ]);
  await press();
  await waitFor(() => expect(screen.getByRole("button")).toHaveProperty("disabled", false));
  expect(requests).toHaveLength(1);
});

import { errorResponse } from "@feather/testing/errors";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { ExportRequests } from "./export-requests.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const REQUESTS = "GET /usage/activity/requests";
const PERIOD = { from: "2026-11-01", to: "2026-11-21" };
const receipt = (id: string) => ({ id, model: "feather/demo", started_at: "2026-11-19T14:01:02Z" });
const press = () => userEvent.click(screen.getByRole("button", { name: "Export requests as CSV" }));

test("the export contains the requests of all pages", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    files.push(blob as Blob);
    return "blob:x";
  });
  let page = 0;
  const { requests } = renderPage(<ExportRequests period={PERIOD} total={3} />, "/", "/", {
    [REQUESTS]: () => {
      page += 1;
      const items = page === 1 ? [receipt("req_1"), receipt("req_2")] : [receipt("req_3")];
      return { body: { items, pagination: { current_page: page, per_page: 2, total_items: 3, total_pages: 2 } } };
    },
  });
  await press();
  await waitFor(() => expect(files).toHaveLength(1));
  const lines = ((await files[0]?.text()) ?? "").split("\r\n");
  expect(lines.slice(1, 4).map((line) => line.split(",")[0])).toEqual(["req_1", "req_2", "req_3"]);
  expect(requests).toHaveLength(2);
});

test("the export is disabled without requests, and shows errors", async () => {
  renderPage(<ExportRequests period={PERIOD} total={0} />, "/", "/", {});
  expect(screen.getByRole("button")).toHaveProperty("disabled", true);
  const { requests } = renderPage(<ExportRequests period={PERIOD} total={1} />, "/", "/", {
    [REQUESTS]: () => errorResponse(400, "invalid_request", "start must not be later than end."),
  });
  await press();
  await waitFor(() => expect(screen.getByRole("button")).toHaveProperty("disabled", false));
  expect(requests).toHaveLength(1);
});

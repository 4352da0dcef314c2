import type { ToolCallRecord, ToolList, ToolServer, ToolServerList, ToolServerTools } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import AdminToolsPage from "../admin/tools.tsx";
import OrganizationToolsPage from "./organization-tools.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "/account/organization/tools";
const DOCS: Sent<ToolServer> = {
  ...{ name: "docs", url: "https://mcp.example.com/mcp", header_name: "authorization", is_secret_set: true },
  ...{ allowed_tools: ["search"], is_enabled: true, created_by_name: "Maria Winter" },
  updated_at: "2026-11-30T14:01:02Z",
};
const WEATHER: Sent<ToolServer> = {
  ...{ ...DOCS, name: "weather", url: "https://weather.example.com/mcp", header_name: null, is_secret_set: false },
  ...{ allowed_tools: null, is_enabled: false, created_by_name: null },
};
const tool = (name: string, is_allowed = true) => ({
  ...{
    name,
    title: null,
    description: `Does ${name}.`,
    input_schema: { type: "object" },
    output_schema: null,
    annotations: null,
    is_allowed,
  },
});
const TOOLS: Sent<ToolServerTools> = { items: [tool("search"), tool("read", false)], problems: [] };
const CALL: Sent<ToolCallRecord> = {
  ...{ id: "tcl_1", server: "docs", tool: "search", user_id: maria.id, api_key_id: null, outcome: "completed" },
  ...{ started_at: "2026-11-30T14:01:02Z", duration_ms: 1_200 },
};
const NO_CALLS = { items: [], pagination: { current_page: 1, per_page: 20, total_items: 0, total_pages: 1 } };
const EMPTY: Sent<ToolServerList> = { items: [] };
const MEMBER = {
  ...{ user_id: maria.id, name: "Maria Winter", email: "maria@example.com", role: "admin" as const },
  joined_at: "2026-11-01T10:00:00Z",
};

const show = (list: Sent<ToolServerList>, routes: StubHandlers = [], user: typeof maria = maria) =>
  renderPage(
    <ToastProvider>
      <ConfirmProvider>
        <OrganizationToolsPage />
      </ConfirmProvider>
    </ToastProvider>,
    AT,
    AT,
    [
      ...routes,
      http.auth.me(user),
      http.toolServers.list(list),
      http.tools.calls.list(NO_CALLS),
      http.organization.members.list({ items: [MEMBER] }),
    ],
  );
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const type = async (label: string, text: string) => userEvent.type(await screen.findByLabelText(label), text);
const putsOf = ({ requests }: ReturnType<typeof renderPage>) =>
  requests.filter(({ method }) => method === "PUT").map(({ path, body }) => [path, body]);
const forDocs = { params: { name: "docs" } };

test("the page of tools registers a server switched off, shows its tools, and switches it on with the ticked ones", async () => {
  const stored = { ...DOCS, allowed_tools: null, is_enabled: false };
  const page = show(EMPTY, [http.toolServers.set(stored, forDocs), http.toolServers.tools(TOOLS, forDocs)]);
  expect(await screen.findByText("No servers of tools yet")).toBeTruthy();
  await press("Add a server");
  await type("Name", "docs");
  await type("Address", "https://mcp.example.com/mcp");
  await type("Header of the secret", "Authorization");
  await type("Secret", "Bearer x");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add the server" }));
  expect(await screen.findByText("Does search.")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("Only the ticked ones"));
  await press("Save and switch on");
  expect(await screen.findByText("Tick one tool at least.")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("read"));
  await press("Save and switch on");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const url = "https://mcp.example.com/mcp";
  expect(putsOf(page)).toEqual([
    [
      "/organization/tool-servers/docs",
      { url, header_name: "Authorization", header_value: "Bearer x", allowed_tools: null, is_enabled: false },
    ],
    [
      "/organization/tool-servers/docs",
      { url, header_name: "authorization", allowed_tools: ["read"], is_enabled: true },
    ],
  ]);
});

test("the page of tools shows of each server its address, whether a secret is set, what is allowed and its state", async () => {
  show({ items: [DOCS, WEATHER] });
  const [docs, weather] = await screen.findAllByRole("listitem");
  expect(docs?.textContent).toContain("https://mcp.example.com/mcp");
  expect(docs?.textContent).toContain("Header authorization: the secret is set");
  expect(docs?.textContent).toContain("1 tool may be called: search");
  expect(docs?.textContent).toContain("on");
  expect(weather?.textContent).toContain("No secret is sent to it.");
  expect(weather?.textContent).toContain("All its tools may be called.");
  expect(weather?.textContent).toContain("off");
});

test("the page of tools keeps the secret, the tools and the state of a server whose address is changed", async () => {
  const page = show({ items: [DOCS] }, [http.toolServers.set(DOCS, forDocs)]);
  await press("Change docs");
  expect(screen.queryByLabelText("Name")).toBeNull();
  expect(await screen.findByText(/^Set\. Leave it empty to keep it/)).toBeTruthy();
  await type("Address", "/v2");
  await press("Save");
  expect(await screen.findByText("docs is changed")).toBeTruthy();
  expect(putsOf(page)).toEqual([
    [
      "/organization/tool-servers/docs",
      {
        ...{ url: "https://mcp.example.com/mcp/v2", header_name: "authorization" },
        ...{ allowed_tools: ["search"], is_enabled: true },
      },
    ],
  ]);
});

test("the page of tools refuses a taken name and an address that is none before anything is sent", async () => {
  const page = show({ items: [DOCS] });
  await press("Add a server");
  await type("Name", "docs");
  await type("Address", "mcp.example.com");
  await press("Add the server");
  expect(await screen.findByText("There is a server of this name. Change that one.")).toBeTruthy();
  expect(screen.getByText("Address is not valid: it begins with https://.")).toBeTruthy();
  expect(putsOf(page)).toEqual([]);
});

test("the page of tools refuses a secret without the header in which it is sent", async () => {
  const page = show(EMPTY);
  await press("Add a server");
  await type("Name", "docs");
  await type("Address", "https://mcp.example.com/mcp");
  await type("Secret", "Bearer x");
  await userEvent.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Add the server" }));
  expect(await screen.findByText("Header is needed: it says where the secret is sent.")).toBeTruthy();
  expect(putsOf(page)).toEqual([]);
});

test("the page of tools shows at its field what the server refuses", async () => {
  const message = "header_value is missing: there is no secret for this header and this host.";
  const refusal = refuse(400, "invalid_request", message, {}, "header_value");
  show({ items: [DOCS] }, [http.toolServers.set(refusal, forDocs)]);
  await press("Change docs");
  await press("Save");
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.getByLabelText("Secret").getAttribute("aria-invalid")).toBe("true");
});

test("the page of tools shows what is wrong with a server that is asked, and asks it again", async () => {
  const problem = "The tool server docs did not answer within 60 seconds.";
  const { requests } = show({ items: [DOCS] }, [http.toolServers.tools({ items: [], problems: [problem] }, forDocs)]);
  await press("Ask the server docs for its tools");
  expect(await screen.findByText(problem)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
  await press("Ask again");
  await waitFor(() => expect(requests.filter(({ path }) => path.endsWith("/docs/tools"))).toHaveLength(2));
});

test("the page of tools shows why the chosen tools were not saved, and keeps an allowed tool that is gone to untick", async () => {
  const page = show({ items: [{ ...DOCS, allowed_tools: ["search", "old"] }] }, [
    http.toolServers.tools(TOOLS, forDocs),
    http.toolServers.set(refuse(409, "tool_servers.limit_reached", "There are 20 servers."), forDocs),
  ]);
  await press("Ask the server docs for its tools");
  expect(await screen.findByText("The server has it no longer.")).toBeTruthy();
  await userEvent.click(screen.getByLabelText("old"));
  await press("Save");
  expect(await screen.findByText("There are 20 servers.")).toBeTruthy();
  expect(putsOf(page)).toMatchObject([["/organization/tool-servers/docs", { allowed_tools: ["search"] }]]);
});

test("the page of tools switches a server off and on, and removes it after a question", async () => {
  const page = show({ items: [DOCS, WEATHER] }, [
    http.toolServers.set({ ...DOCS, is_enabled: false }, forDocs),
    http.toolServers.set({ ...WEATHER, is_enabled: true }, { params: { name: "weather" } }),
    http.toolServers.delete(undefined, forDocs),
  ]);
  await press("Switch off docs");
  expect(await screen.findByText("docs is switched off")).toBeTruthy();
  await press("Switch on weather");
  expect(await screen.findByText("weather is switched on")).toBeTruthy();
  expect(putsOf(page)).toMatchObject([
    ["/organization/tool-servers/docs", { is_enabled: false, allowed_tools: ["search"] }],
    ["/organization/tool-servers/weather", { is_enabled: true, allowed_tools: null }],
  ]);
  await press("Remove docs");
  expect(page.requests.some(({ method }) => method === "DELETE")).toBe(false);
  await press("Remove the server");
  expect(await screen.findByText("docs is removed")).toBeTruthy();
  expect(page.requests.find(({ method }) => method === "DELETE")?.path).toBe("/organization/tool-servers/docs");
});

test("the page of tools lists the last calls with who made them, the tool, the time it took and the result", async () => {
  const failed = { ...CALL, id: "tcl_2", user_id: null, outcome: "failed" as const, duration_ms: 60_000 };
  const ofOther = { ...CALL, id: "tcl_3", user_id: "usr_gone", outcome: "tool_error" as const };
  show(EMPTY, [http.tools.calls.list({ ...NO_CALLS, items: [CALL, failed, ofOther] })]);
  const rows = within(await screen.findByRole("table", { name: "Calls to tools" })).getAllByRole("row");
  await waitFor(() => expect(rows[1]?.textContent).toContain("Maria Winter"));
  expect(rows[1]?.textContent).toContain("docs__search1,200answered");
  expect(rows[2]?.textContent).toContain("Somebody who is gonedocs__search60,000server failed");
  expect(rows[3]?.textContent).toContain("usr_gonedocs__search1,200error of the tool");
});

test("the page of tools shows members the tools that they may call, and no servers to manage", async () => {
  const list: Sent<ToolList> = {
    items: [
      {
        ...{ name: "docs__search", server: "docs", title: "Search", description: "Searches.", fingerprint: "x" },
        input_schema: { type: "object" },
        output_schema: null,
        annotations: null,
      },
    ],
    problems: [{ server: "weather", message: "It did not answer." }],
  };
  const { requests } = show(EMPTY, [http.tools.list(list)], buildUser({ role: "developer" }));
  expect(await screen.findByText("docs__search")).toBeTruthy();
  expect(screen.getByText("Searches.")).toBeTruthy();
  expect(screen.getByText(/It did not answer\./)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Add a server" })).toBeNull();
  expect(requests.some(({ path }) => path === "/organization/tool-servers")).toBe(false);
});

test("the page of tools tells members without tools who adds them", async () => {
  show(EMPTY, [http.tools.list({ items: [], problems: [] })], buildUser({ role: "developer" }));
  expect(await screen.findByText("No tools yet")).toBeTruthy();
});

test("the page of tools asks no server for somebody whose role may not call models", async () => {
  const { requests } = show(EMPTY, [], buildUser({ role: "viewer" }));
  expect(await screen.findByText("Admins of the organization manage its tools")).toBeTruthy();
  expect(await screen.findByText("No tool was called yet.")).toBeTruthy();
  expect(requests.some(({ path }) => path === "/tools")).toBe(false);
});

const showAdmin = (routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <ConfirmProvider>
        <AdminToolsPage />
      </ConfirmProvider>
    </ToastProvider>,
    "/admin/tools",
    "/admin/tools",
    [
      ...routes,
      http.auth.me({ ...maria, is_admin: true }),
      http.admin.toolServers.list({ items: [DOCS] }),
      http.admin.toolServers.tools(TOOLS, forDocs),
    ],
  );

test("the admin page of tools chooses the tools of a server for everybody", async () => {
  const { requests } = showAdmin([http.admin.toolServers.set(DOCS, forDocs)]);
  await press("Ask the server docs for its tools");
  expect((await screen.findByLabelText<HTMLInputElement>("search")).checked).toBe(true);
  await userEvent.click(screen.getByLabelText("All, also those that it gets later"));
  await press("Save");
  expect(await screen.findByText("The tools of docs are changed")).toBeTruthy();
  const put = requests.find(({ method }) => method === "PUT");
  expect([put?.path, put?.body]).toMatchObject(["/admin/tool-servers/docs", { allowed_tools: null, is_enabled: true }]);
});

test("the admin page of tools keeps what was ticked when saving fails, and asks the server only when its tools are opened", async () => {
  const { requests } = showAdmin([
    http.admin.toolServers.set(refuse(409, "tool_servers.limit_reached", "There are 20 servers."), forDocs),
  ]);
  await press("Ask the server docs for its tools");
  await userEvent.click(await screen.findByLabelText("read"));
  await press("Save");
  expect(await screen.findByText("There are 20 servers.")).toBeTruthy();
  await waitFor(() => expect(requests.filter(({ path }) => path === "/admin/tool-servers")).toHaveLength(2));
  expect(screen.getByLabelText<HTMLInputElement>("read").checked).toBe(true);
  const countRequests = () => requests.filter(({ path }) => path.endsWith("/docs/tools")).length;
  expect(countRequests()).toBe(1);
  await press("Cancel");
  await press("Ask the server docs for its tools");
  await waitFor(() => expect(countRequests()).toBe(2));
});

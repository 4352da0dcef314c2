import type { WebhookDelivery, WebhookEndpoint } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { maria, renderPage } from "#/testing/page.tsx";
import OrganizationWebhooksPage from "./organization-webhooks.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const AT = "/account/organization/webhooks";
const endpoint: Sent<WebhookEndpoint> = {
  id: "whk_1",
  url: "https://hooks.example.com/feather",
  description: "Tell the team",
  event_types: ["deployment.ready"],
  disabled: false,
  disabled_reason: null,
  first_failed_at: null,
  previous_secret_expires_at: null,
  created_at: "2026-11-01T09:30:00Z",
};
const delivery: Sent<WebhookDelivery> = {
  id: "whd_1",
  endpoint_id: "whk_1",
  event_id: "whe_1",
  event_type: "deployment.ready",
  status: "failed",
  attempts: 10,
  response_status: 500,
  error: "The endpoint responded with 500.",
  last_attempt_at: "2026-11-19T14:01:02Z",
  next_attempt_at: null,
  created_at: "2026-11-19T14:01:02Z",
};

const show = (routes: StubHandlers = [], user: typeof maria = maria) =>
  renderPage(
    <ToastProvider>
      <ConfirmProvider>
        <OrganizationWebhooksPage />
      </ConfirmProvider>
    </ToastProvider>,
    AT,
    AT,
    [
      ...routes,
      http.auth.me(user),
      http.webhooks.list({ items: [endpoint] }),
      http.webhooks.deliveries.list(buildPage([delivery])),
    ],
  );

test("the page of webhooks makes an endpoint and shows its secret once", async () => {
  const { requests } = show([
    http.webhooks.list({ items: [] }),
    http.webhooks.create({ ...endpoint, secret: "whsec_c2VjcmV0" }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "New endpoint" }));
  await userEvent.click(await screen.findByRole("button", { name: "Make the endpoint" }));
  expect(await screen.findByText("Choose one event at least.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Address"), endpoint.url);
  await userEvent.click(screen.getByRole("checkbox", { name: /A deployment runs/ }));
  await userEvent.click(screen.getByRole("button", { name: "Make the endpoint" }));
  expect(await screen.findByText("whsec_c2VjcmV0")).toBeTruthy();
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual({
    url: endpoint.url,
    description: "",
    event_types: ["deployment.ready"],
  });
  await userEvent.click(screen.getByRole("button", { name: "I have copied it" }));
  await waitFor(() => expect(screen.queryByText("whsec_c2VjcmV0")).toBe(null));
});

test("the form of an endpoint shows an error of the server, and keeps what was entered", async () => {
  show([http.webhooks.create(refuse(409, "webhooks.limit_reached", "An organization can have 20 webhook endpoints."))]);
  await userEvent.click(await screen.findByRole("button", { name: "New endpoint" }));
  await userEvent.type(await screen.findByLabelText("Address"), endpoint.url);
  await userEvent.click(screen.getByRole("checkbox", { name: /Somebody joined/ }));
  await userEvent.click(screen.getByRole("button", { name: "Make the endpoint" }));
  expect(await screen.findByText(/An organization can have 20/)).toBeTruthy();
  expect((screen.getByLabelText("Address") as HTMLInputElement).value).toBe(endpoint.url);
});

test("the deliveries of an endpoint are shown on request, and one is replayed", async () => {
  const { requests } = show([http.webhooks.deliveries.replay({ ...delivery, id: "whd_2", status: "pending" })]);
  await userEvent.click(await screen.findByRole("button", { name: "Show deliveries" }));
  expect(await screen.findByText(/The endpoint responded with 500. 10 attempts/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Replay deployment.ready" }));
  expect(await screen.findByText("deployment.ready is on its way again")).toBeTruthy();
  expect(requests.some(({ path }) => path === "/webhooks/whk_1/deliveries/whd_1/replay")).toBe(true);
});

test("says why an endpoint is disabled, and sends it no test", async () => {
  show([http.webhooks.list({ items: [{ ...endpoint, disabled: true, disabled_reason: "failing" }] })]);
  expect(await screen.findByText("disabled: it failed for 5 days")).toBeTruthy();
  expect((screen.getByRole("button", { name: "Send a test" }) as HTMLButtonElement).disabled).toBe(true);
});

test("a member who is not an admin sees whom to ask, and nothing is requested", async () => {
  const { requests } = show([], buildUser({ role: "editor" }));
  expect(await screen.findByRole("heading", { name: /Admins of the organization manage/ })).toBeTruthy();
  expect(requests.some(({ path }) => path === "/webhooks")).toBe(false);
});

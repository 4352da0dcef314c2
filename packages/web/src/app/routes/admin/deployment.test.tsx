import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { deployment, HOSTILE_NAME } from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminDeploymentPage from "./deployment.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const show = (routes: StubHandlers) =>
  renderPage(
    <ToastProvider>
      <AdminDeploymentPage />
    </ToastProvider>,
    "/admin/deployments/:id",
    "/admin/deployments/dep_1",
    routes,
  );

test("shows a deployment with its owner and state, and redeploys it", async () => {
  const body = { ...deployment("dep_1", "support-bot"), state: "failed" as const, state_reason: HOSTILE_NAME };
  const { requests } = show([
    http.admin.deployments.get(body, { params: { id: "dep_1" } }),
    http.admin.deployments.redeploy({ results: [{ id: "dep_1", ok: true, error: null }] }),
  ]);
  expect(await screen.findByRole("heading", { level: 1, name: "support-bot" })).toBeTruthy();
  expect(screen.getByText(HOSTILE_NAME)).toBeTruthy();
  expect(screen.getByText("context=4096")).toBeTruthy();
  expect(screen.getByRole("link", { name: "Maria Winter" }).getAttribute("href")).toBe("/admin/users/usr_1");
  expect(screen.getByText("feather admin deployments show dep_1")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Actions for support-bot" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Redeploy" }));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === "POST")).toMatchObject([{ body: { ids: ["dep_1"] } }]),
  );
});

test("links to the list if the deployment does not exist", async () => {
  show([
    http.admin.deployments.get(refuse(404, "deployments.not_found", "There is none."), { params: { id: "dep_1" } }),
  ]);
  expect(await screen.findByRole("heading", { name: "There is no such deployment" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "All deployments" }).getAttribute("href")).toBe("/admin/deployments");
});

test("retries a deployment that failed to load", async () => {
  show([http.admin.deployments.get(refuse(500, "internal_error", "x"), { params: { id: "dep_1" } })]);
  expect(await screen.findByText("The deployment cannot be read just now.")).toBeTruthy();
});

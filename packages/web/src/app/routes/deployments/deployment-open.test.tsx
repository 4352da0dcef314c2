import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import DeploymentOpenPage from "./deployment-open.tsx";

afterEach(() => vi.unstubAllGlobals());

const PATH = "/deployments/open";
const OPENED = {
  deployment_id: "dep_1",
  name: "support-bot",
  model_id: "acme/support-8b",
  url: "https://feather.example/api/deployments/dep_1/v1",
  token: "dpt_hour",
  expires_at: "2026-11-19T15:01:02Z",
};

const show = (query: string, routes: StubHandlers = []) =>
  renderPage(<DeploymentOpenPage />, PATH, PATH + query, routes);
const open = async () => userEvent.click(await screen.findByRole("button", { name: "Open the deployment" }));

test("the link of a deployment is used only after a click, and its token is removed from the URL", async () => {
  const { requests, router } = show("?login=one_x", [http.deployments.redeemLogin(OPENED)]);
  await screen.findByRole("heading", { name: "Open a deployment" });
  expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  await open();
  expect(await screen.findByText("dpt_hour")).toBeTruthy();
  expect(requests.find(({ method }) => method === "POST")?.body).toEqual({ token: "one_x" });
  expect(router.state.location.search).toBe("");
});

test("the page of a deployment's link shows that the link was already used", async () => {
  const message = "This link was used already, or it has ended. Ask for a new one.";
  show("?login=one_x", [http.deployments.redeemLogin(refuse(401, "deployments.login_ended", message))]);
  await open();
  expect((await screen.findByRole("alert")).textContent).toBe(message);
});

test("the page of a deployment's link shows that the link has no token", async () => {
  show("");
  expect(await screen.findByText("This link is not whole")).toBeTruthy();
});

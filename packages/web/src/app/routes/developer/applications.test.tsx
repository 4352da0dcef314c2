import type { Application } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { viewer } from "#/testing/billing.ts";
import { bodyOf, maria, neverSettles, renderPage } from "#/testing/page.tsx";
import ApplicationPage from "./application.tsx";
import ApplicationsPage from "./applications.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const roost: Sent<Application> = {
  id: "app_1",
  name: "Roost",
  description: "A chat program.",
  homepage_url: "https://roost.example",
  logo_url: null,
  redirect_uris: ["https://roost.example/callback"],
  scopes: ["user.read"],
  client_type: "confidential",
  device_flow: false,
  status: "active",
  verified: true,
  owner: { id: "org_1", name: "Winter & Sons" },
  created_at: "2026-11-19T14:01:02Z",
};
const ROUTES: StubHandlers = [
  http.auth.me(maria),
  http.applications.list({ items: [roost] }),
  http.applications.get(roost, { params: { id: "app_1" } }),
];
const showList = (routes: StubHandlers = [], address = "/developer/applications") =>
  renderPage(<ApplicationsPage />, "/developer/applications", address, [...routes, ...ROUTES]);
const showOne = (routes: StubHandlers = [], id = "app_1") =>
  renderPage(<ApplicationPage />, "/developer/applications/:id", `/developer/applications/${id}`, [
    ...routes,
    ...ROUTES,
  ]);
const press = async (name: string) => userEvent.click(await screen.findByRole("button", { name }));
const confirmed = async (name: string) => {
  const dialog = within(await screen.findByRole("alertdialog"));
  await userEvent.click(dialog.getByRole("button", { name }));
};
const fill = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

describe("the list of applications", () => {
  test("the list of applications links to each application", async () => {
    showList();
    const link = await screen.findByRole("link", { name: "Roost" });
    expect(link.getAttribute("href")).toBe("/developer/applications/app_1");
    expect(screen.getByText("active")).toBeTruthy();
  });

  test("the list of applications explains what an application is for when it is empty", async () => {
    showList([http.applications.list({ items: [] })]);
    expect(await screen.findByText("No applications yet")).toBeTruthy();
    await userEvent.click(screen.getByRole("link", { name: "Register an application" }));
    expect(await screen.findByRole("heading", { name: "New application" })).toBeTruthy();
  });

  test("the list of applications shows that it is loading, and retries after a failure", async () => {
    showList([http.applications.list(neverSettles)]);
    expect(await screen.findByText("Loading the applications")).toBeTruthy();
    showList([http.applications.list(refuse(500, "internal_error", "x"))]);
    expect((await screen.findByRole("alert")).textContent).toContain("The applications cannot be read just now.");
  });

  test("the list of applications shows untrusted names as text", async () => {
    showList([http.applications.list({ items: [{ ...roost, name: "<img src=x onerror=alert(1)>" }] })]);
    expect(await screen.findByText("<img src=x onerror=alert(1)>")).toBeTruthy();
    expect(document.querySelector("img")).toBeNull();
  });

  test("the list of applications shows a viewer the list without actions", async () => {
    showList([http.auth.me(viewer)], "/developer/applications?new");
    expect(await screen.findByRole("link", { name: "Roost" })).toBeTruthy();
    expect(screen.getByRole("note").textContent).toContain("You are a viewer of Winter & Sons.");
    expect(screen.queryByLabelText("Name")).toBeNull();
    expect(screen.queryByRole("link", { name: "Register an application" })).toBeNull();
  });
});

describe("registering an application", () => {
  const NEW = "/developer/applications?new";
  const fillIn = async () => {
    await fill("Name", "Nest");
    await fill("Redirect addresses", "https://nest.example/cb{Enter}http://localhost/cb");
  };

  test("registering an application shows the secret once, and opens the application after it was copied", async () => {
    const { requests } = showList(
      [http.applications.create({ ...roost, id: "app_2", name: "Nest", client_secret: "secret_abc" })],
      NEW,
    );
    await fillIn();
    await userEvent.dblClick(await screen.findByRole("button", { name: "Register the application" }));
    expect(await screen.findByText("secret_abc")).toBeTruthy();
    const sent = requests.filter(({ method }) => method === "POST");
    expect(sent.map(({ body }) => body)).toEqual([
      {
        name: "Nest",
        description: "",
        homepage_url: null,
        logo_url: null,
        redirect_uris: ["https://nest.example/cb", "http://localhost/cb"],
        scopes: ["user.read"],
        device_flow: false,
        client_type: "confidential",
      },
    ]);
    await press("I have copied it");
    expect(await screen.findByText("at /developer/applications/app_2")).toBeTruthy();
  });

  test("registering an application shows no secret for a public client", async () => {
    const { requests } = showList([http.applications.create({ ...roost, id: "app_2", client_secret: null })], NEW);
    await fillIn();
    await userEvent.click(screen.getByRole("radio", { name: /Public/ }));
    await press("Register the application");
    expect(await screen.findByText("at /developer/applications/app_2")).toBeTruthy();
    expect(requests.find(({ method }) => method === "POST")?.body).toMatchObject({ client_type: "public" });
  });

  test("registering an application shows every failing field before anything is sent", async () => {
    const { requests } = showList([], NEW);
    await fill("Homepage", "roost.example");
    await fill("Redirect addresses", "http://roost.example/");
    await press("Register the application");
    expect(await screen.findByText("Name is not valid.")).toBeTruthy();
    expect(screen.getByText("Homepage is not valid: it begins with https:// or http://.")).toBeTruthy();
    expect(screen.getByText(/Line 1 is not valid: it must begin with https:\/\//)).toBeTruthy();
    expect(requests.filter(({ method }) => method === "POST")).toEqual([]);
  });

  test("registering an application shows an error of the server at its field, and keeps the input", async () => {
    const message = "redirect_uris is not valid: it has a fragment.";
    showList([http.applications.create(refuse(400, "invalid_request", message, {}, "redirect_uris.0"))], NEW);
    await fillIn();
    await press("Register the application");
    expect(await screen.findByText(message)).toBeTruthy();
    expect(screen.getByLabelText("Name")).toHaveProperty("value", "Nest");
    expect(screen.getByLabelText("Redirect addresses").getAttribute("aria-invalid")).toBe("true");
  });

  test("registering an application shows the limit of applications above the form", async () => {
    showList(
      [
        http.applications.create(
          refuse(409, "applications.limit_reached", "An organization can have 100 applications."),
        ),
      ],
      NEW,
    );
    await fillIn();
    await press("Register the application");
    expect((await screen.findByRole("alert")).textContent).toContain("An organization can have 100 applications.");
  });

  test("registering an application repeats the same call after a lost connection", async () => {
    let shouldFail = true;
    const { requests } = showList(
      [
        http.applications.create(() => {
          if (shouldFail) throw new TypeError("fetch failed");
          return { ...roost, client_secret: "secret_abc" };
        }),
      ],
      NEW,
    );
    await fillIn();
    await press("Register the application");
    expect((await screen.findByRole("alert")).textContent).toContain("Nothing you entered is lost");
    shouldFail = false;
    await press("Register the application");
    expect(await screen.findByText("secret_abc")).toBeTruthy();
    const posts = requests.filter(({ method }) => method === "POST");
    expect(new Set(posts.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

describe("the page of an application", () => {
  test("the page of an application shows its facts, and a sign-in example with its id and redirect URI", async () => {
    showOne();
    expect(await screen.findByRole("heading", { name: "Roost" })).toBeTruthy();
    expect(screen.getByText(/client_secret: process\.env\.CLIENT_SECRET/)).toBeTruthy();
    expect(screen.getAllByText(/app_1/).length).toBeGreaterThan(1);
  });

  test("the page of an application links to the list if the application does not exist", async () => {
    showOne([http.applications.get(refuse(404, "applications.not_found", "x"), { params: { id: "app_9" } })], "app_9");
    expect(await screen.findByText("There is no application with this id")).toBeTruthy();
  });

  test("the page of an application shows that it is loading, and retries after a failure", async () => {
    showOne([http.applications.get(neverSettles, { params: { id: "app_1" } })]);
    expect(await screen.findByText("Loading the application")).toBeTruthy();
    showOne([http.applications.get(refuse(500, "internal_error", "x"), { params: { id: "app_1" } })]);
    expect((await screen.findByRole("alert")).textContent).toContain("The application cannot be read just now.");
  });

  test("the page of an application switches the application off and on", async () => {
    const { requests } = showOne([
      http.applications.setStatus(
        async ({ request }) => {
          const isActive = (await bodyOf(request)).status === "active";
          return { ...roost, status: isActive ? "active" : "inactive" };
        },
        { params: { id: "app_1" } },
      ),
    ]);
    await press("Switch off");
    expect(await screen.findByText(/nobody can sign in with it/)).toBeTruthy();
    await press("Switch on");
    expect(await screen.findByText("active")).toBeTruthy();
    expect(requests.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual([
      { status: "inactive" },
      { status: "active" },
    ]);
  });

  test.each([
    ["pending", "in review"],
    ["suspended", "suspended"],
    ["rejected", "rejected"],
  ] as const)(
    "the page of an application leaves the decision about a %s application to an admin",
    async (status, word) => {
      showOne([http.applications.get({ ...roost, status }, { params: { id: "app_1" } })]);
      expect(await screen.findByText(word)).toBeTruthy();
      expect(screen.queryByRole("button", { name: /Switch/ })).toBeNull();
    },
  );

  test("the page of an application saves changes, and returns to review where that is required", async () => {
    const { requests } = showOne([
      http.applications.update(async ({ request }) => ({ ...roost, ...(await bodyOf(request)), status: "pending" }), {
        params: { id: "app_1" },
      }),
    ]);
    await fill("Name", "Roost 2");
    await press("Save the changes");
    expect(await screen.findByRole("heading", { name: "Roost 2" })).toBeTruthy();
    expect(screen.getByText("in review")).toBeTruthy();
    expect(requests.find(({ method }) => method === "PUT")?.body).toMatchObject({ name: "Roost 2" });
  });

  test("the page of an application creates a new secret after a confirmation, shown once with the expiry of the old one", async () => {
    const { requests } = showOne([
      http.applications.regenerateSecret(
        { ...roost, client_secret: "secret_new", old_secret_valid_until_at: "2026-11-22T14:00:00Z" },
        { params: { id: "app_1" } },
      ),
    ]);
    await press("Make a new secret");
    await confirmed("Make a new secret");
    expect(await screen.findByText("secret_new")).toBeTruthy();
    expect(screen.getByText(/The one before holds until/)).toBeTruthy();
    await press("I have copied it");
    await waitFor(() => expect(screen.queryByText("secret_new")).toBeNull());
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  });

  test("the page of an application has no secret if it is public", async () => {
    showOne([http.applications.get({ ...roost, client_type: "public" }, { params: { id: "app_1" } })]);
    expect(await screen.findByRole("heading", { name: "Roost" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Make a new secret" })).toBeNull();
    expect(screen.queryByText(/CLIENT_SECRET/)).toBeNull();
  });

  test("the page of an application deletes the application after a confirmation", async () => {
    const { requests } = showOne([http.applications.delete(undefined, { params: { id: "app_1" } })]);
    await press("Delete Roost");
    expect(requests.filter(({ method }) => method === "DELETE")).toEqual([]);
    await confirmed("Delete Roost");
    expect(await screen.findByText("at /developer/applications")).toBeTruthy();
  });

  test("the page of an application shows why a deletion failed", async () => {
    showOne([
      http.applications.delete(refuse(403, "organization_permission_denied", "You may not do this."), {
        params: { id: "app_1" },
      }),
    ]);
    await press("Delete Roost");
    await confirmed("Delete Roost");
    expect((await screen.findByRole("alert")).textContent).toContain("You may not do this.");
  });

  test.each([
    ["a viewer", viewer, "You are a viewer of Winter & Sons."],
    ["somebody acting as another", { ...maria, impersonated_by: "usr_9" }, "You are acting as somebody else."],
  ])("%s sees the application and cannot change it", async (_, user, message) => {
    showOne([http.auth.me(user)]);
    expect((await screen.findByRole("note")).textContent).toContain(message);
    for (const name of ["Switch off", "Save the changes", "Make a new secret", "Delete Roost"])
      expect(screen.queryByRole("button", { name })).toBeNull();
  });
});

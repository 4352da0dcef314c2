import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, RouterProvider, useLocation } from "react-router-dom";
import { vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/confirm.tsx";
import { createQueryClient } from "#/lib/query-client.ts";

/** A request that the stubbed server has received. */
export type RecordedRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: Record<string, string>;
  /** The `idempotency-key` header. */
  idempotencyKey: string | null;
};
type StubResponse = { status?: number; body?: unknown; response?: Response } | Promise<never>;
/** Handlers by method and path, such as `GET /auth/me`. */
export type StubRoutes = Record<string, (request: RecordedRequest) => StubResponse>;

/** The permissions of each role other than admin. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  viewer: [],
  developer: ["call_models", "manage_keys", "manage_applications"],
  editor: ["call_models", "manage_keys", "manage_applications", "manage_models", "manage_deployments"],
};

/** Returns the signed-in user with another role in their organization. */
export const userInRole = (role: string) => ({
  ...maria,
  organization: { ...maria.organization, role },
  permissions: PERMISSIONS[role] ?? maria.permissions,
});

/** The signed-in user of the tests, an admin of their organization. */
export const maria = {
  id: "usr_1",
  email: "maria@example.com",
  username: "maria",
  name: "Maria Winter",
  is_admin: false,
  organization: { id: "org_1", name: "Winter & Sons", role: "admin", current_subscription: null },
  permissions: [
    "call_models",
    "manage_keys",
    "manage_applications",
    "manage_models",
    "manage_deployments",
    "manage_members",
    "manage_organization",
    "manage_billing",
  ],
};

/** Returns a promise that never settles, for a request without a response. */
export const neverSettles = (): Promise<never> => new Promise(() => {});

/** Returns a response whose body stream errors when the request is aborted, as in a browser. */
function abortableResponse(response: Response, signal: AbortSignal | null | undefined): Response {
  const body = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), signal ? { signal } : {});
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

/** Returns an error response in the envelope of the API. */
export const errorResponse = (status: number, code: string, message: string) => ({
  status,
  body: { statusCode: status, statusMessage: "x", message, data: JSON.stringify({ code, message }) },
});

/** Stubs `fetch` with these routes; others respond with 404. Returns the array of recorded requests. */
export function stubServer(routes: StubRoutes): RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  vi.stubGlobal("fetch", async (request: Request, init?: RequestInit) => {
    const url = new URL(request.url);
    const text = await request.text();
    const isForm = request.headers.get("content-type")?.includes("urlencoded");
    const body = text === "" ? {} : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text);
    const recorded: RecordedRequest = {
      method: request.method,
      path: url.pathname.replace("/api", ""),
      query: url.searchParams,
      body,
      idempotencyKey: request.headers.get("idempotency-key"),
    };
    requests.push(recorded);
    const stubResponse = await (
      routes[`${recorded.method} ${recorded.path}`] ?? (() => errorResponse(404, "not_found", "Not found."))
    )(recorded);
    if ("response" in stubResponse && stubResponse.response)
      return abortableResponse(stubResponse.response, init?.signal);
    const { status = 200, body: responseBody } = stubResponse;
    return new Response(responseBody === undefined ? null : JSON.stringify(responseBody), {
      status,
      headers: { "content-type": "application/json", "x-should-retry": "false" },
    });
  });
  return requests;
}

/** Renders a page at a URL with a stubbed server. Unmounts the page rendered before. */
export function renderPage(page: ReactNode, path: string, address: string, routes: StubRoutes) {
  cleanup();
  const requests = stubServer(routes);
  const router = createMemoryRouter(
    [
      { path, element: page },
      { path: "*", element: <CurrentLocation /> },
    ],
    { initialEntries: [address] },
  );
  const { container } = render(
    <QueryClientProvider client={createQueryClient()}>
      <ConfirmProvider>
        <RouterProvider router={router} />
      </ConfirmProvider>
    </QueryClientProvider>,
  );
  return { container, requests, router };
}

function CurrentLocation() {
  const { pathname, search } = useLocation();
  return <p>{`at ${pathname}${search}`}</p>;
}

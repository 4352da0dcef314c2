import type { SiteConfig } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildUser } from "@feather/testing/builders";
import { createStub, type StubFallback, type StubHandlers, type StubRequest } from "@feather/testing/stub";
import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createMemoryRouter, type Location, RouterProvider, useLocation } from "react-router-dom";
import { vi } from "vitest";
import { ConfirmProvider } from "#/components/ui/dialogs/confirm.tsx";
import { createQueryClient } from "#/lib/query-client.ts";

/** A request that the stubbed server has received. */
export type RecordedRequest = StubRequest<Record<string, string>>;
/** Responds to calls that have no route. */
export type Fallback = StubFallback<Record<string, string>>;

/** The signed-in user of the tests, an admin of their organization. */
export const maria = buildUser();

/** Returns a promise that never settles, for a request without a response. */
export const neverSettles = (): Promise<never> => new Promise(() => {});

/** Returns the query parameters of a request. */
export const searchParamsOf = ({ url }: Request): URLSearchParams => new URL(url).searchParams;

/** Returns the JSON that was sent with a request. */
export const bodyOf = async (request: Request) => (await request.json()) as RecordedRequest["body"];

/**
 * Returns a response that is sent unchanged, for what the contract does not describe: other bodies, codes and headers.
 */
export const respondWith = (status: number, body: unknown, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });

/** Returns a response whose body stream errors when the request is aborted, as in a browser. */
function abortableResponse(response: Response, signal: AbortSignal | null | undefined): Response {
  const body = response.body?.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), signal ? { signal } : {});
  return new Response(body ?? null, { status: response.status, headers: response.headers });
}

/** The public settings of a site that sells plans and credits with test cards. */
export const SITE_CONFIG: Sent<SiteConfig> = {
  product_name: "Feather",
  version: "0.1.0",
  public_url: "http://localhost:3000",
  posthog_key: null,
  posthog_host: null,
  providers: [],
  passkeys: true,
  payments: "test",
  marketplaces: "test",
};

/** The public settings of a site that sells nothing. */
export const NOTHING_SOLD: Sent<SiteConfig> = { ...SITE_CONFIG, payments: "off", marketplaces: "off" };

/**
 * Stubs `fetch` with these handlers, as `createStub` does, for a site that sells with test cards unless they say otherwise.
 * Returns the array of recorded requests.
 */
export function stubServer(handlers: StubHandlers, fallback?: Fallback): RecordedRequest[] {
  const { requests, respond } = createStub<Record<string, string>>(
    [...handlers, http.system.config(SITE_CONFIG)],
    fallback,
  );
  vi.stubGlobal("fetch", async (request: Request, init?: RequestInit) =>
    abortableResponse(await respond(request), init?.signal),
  );
  return requests;
}

/** Renders a page at a URL with a stubbed server. Unmounts the page rendered before. */
export function renderPage(
  page: ReactNode,
  path: string,
  address: string | Partial<Location>,
  handlers: StubHandlers = [],
) {
  cleanup();
  const requests = stubServer(handlers);
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

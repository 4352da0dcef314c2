import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { NarrowPage } from "#/components/layouts/narrow-page.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { useUser } from "#/entities/session/user.ts";
import {
  type AuthorizationRequest,
  describeDestination,
  type ParsedRequest,
  parseAuthorizationRequest,
} from "#/features/oauth/authorization-request.ts";
import { type ConsentDecision, ConsentForm } from "#/features/oauth/consent-form.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { navigateToExternalUrl } from "#/lib/navigation/external-navigation.ts";
import { queries } from "#/lib/queries.ts";

/** The authorization endpoint for browsers (RFC 6749, section 4.1.1). */
export default function AuthorizePage() {
  const [query] = useSearchParams();
  const parsed = parseAuthorizationRequest(query);
  return (
    <NarrowPage isWide>
      {typeof parsed === "string" ? (
        <Rejected reason={parsed} />
      ) : (
        <AuthorizationRequestView key={query.toString()} {...parsed} />
      )}
    </NarrowPage>
  );
}

function AuthorizationRequestView({ request, promptMode }: ParsedRequest) {
  const { client_id, redirect_uri, scope } = request;
  const { user } = useUser();
  const description = useQuery({
    ...queries.oauth.application.queryOptions(client_id, { redirect_uri, ...(scope !== undefined && { scope }) }),
    staleTime: Number.POSITIVE_INFINITY, // never reloaded, so that the user decides on the text that they have read
  });
  const isAllowed = description.data?.granted === true;
  const isActing = Boolean(user?.impersonated_by);
  if (!isActing && promptMode !== "always" && isAllowed) return <SilentAuthorization request={request} />;
  if (!isActing && promptMode === "none" && description.data)
    return description.data.verified ? (
      <SilentAuthorization request={request} />
    ) : (
      <UnverifiedApplication name={description.data.name} request={request} />
    );
  if (description.error)
    return <AuthorizationError request={request} error={description.error} retry={() => void description.refetch()} />;
  if (!description.data || !user) return <AuthorizationSkeleton />;

  async function decide(answer: ConsentDecision): Promise<void> {
    const { redirect_to } = await feather.oauth.authorize({ ...request, ...answer });
    navigateToExternalUrl(redirect_to);
  }

  return (
    <ConsentForm application={description.data} scopes={description.data.scopes} user={user} onDecide={decide}>
      <p className="muted user-text">
        <Trans>
          Your answer goes to <strong>{describeDestination(redirect_uri)}</strong>.
        </Trans>
        {isLocalDestination(redirect_uri) ? ` ${t`Go on only if you started this yourself.`}` : null}
      </p>
    </ConsentForm>
  );
}

/**
 * An unverified application asks with `prompt=none`. It is redirected to with an error only after the user
 * confirms, because otherwise a link to this server could lead to any address (open redirect).
 */
function UnverifiedApplication({ name, request }: { name: string; request: AuthorizationRequest }) {
  const [isConfirmed, setConfirmed] = useState(false);
  if (isConfirmed) return <SilentAuthorization request={request} />;
  const destination = describeDestination(request.redirect_uri);
  return (
    <>
      <h1 className="h2 user-text">
        <bdi>{name}</bdi> {t`wants to know if you are signed in`}
      </h1>
      <p className="muted user-text">
        <Trans>
          Nobody of this server has looked at this application, and you have not allowed it. Going on leads to{" "}
          <strong>{destination}</strong>, which learns nothing about you.
        </Trans>
      </p>
      <div className="row wrapping mt-6">
        <Link className="btn" to="/">
          {t`Back to home`}
        </Link>
        <button type="button" className="btn" onClick={() => setConfirmed(true)}>
          <Trans>Go on to {destination}</Trans>
        </button>
      </div>
    </>
  );
}

/** Authorizes without asking: consent was given before, or the request has `prompt=none`. The server decides. */
function SilentAuthorization({ request }: { request: AuthorizationRequest }) {
  const { data, error } = useQuery({
    ...queries.oauth.authorize.queryOptions({ ...request, prompt: "none", decision: "approve" }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY, // each response contains a new code
  });
  useEffect(() => {
    if (data) navigateToExternalUrl(data.redirect_to);
  }, [data]);
  if (error) return <Rejected reason={errorMessage(error)} />;
  return (
    <>
      <p className="muted" role="status">
        <Trans>Going back to {describeDestination(request.redirect_uri)} …</Trans>
      </p>
      <AuthorizationSkeleton />
    </>
  );
}

/**
 * The page for a request that the server rejected. After a 400, the response to a denial contains the address where the
 * application may be told of the error.
 */
function AuthorizationError({ request, error, retry }: { request: AuthorizationRequest; error: Error; retry(): void }) {
  const refused = isApiError(error) && error.status < 500;
  const { data } = useQuery({
    enabled: refused && error.status === 400,
    ...queries.oauth.authorize.queryOptions({ ...request, decision: "deny" }),
    gcTime: 0,
  });
  if (!refused)
    return (
      <>
        <h1 className="h2">{t`Not now`}</h1>
        <p className="muted" role="alert">
          {errorMessage(error)}
        </p>
        <button type="button" className="btn mt-6" onClick={retry}>
          {t`Try again`}
        </button>
      </>
    );
  return (
    <Rejected reason={errorMessage(error)}>
      {data ? (
        <button type="button" className="btn" onClick={() => navigateToExternalUrl(data.redirect_to)}>
          <Trans>Back to {describeDestination(request.redirect_uri)}</Trans>
        </button>
      ) : null}
    </Rejected>
  );
}

function Rejected({ reason, children }: { reason: string; children?: ReactNode }) {
  return (
    <>
      <h1 className="h2">{t`This cannot be allowed`}</h1>
      <p className="muted user-text" role="alert">
        {reason}
      </p>
      <p className="muted mt-4">{t`Nothing was given to anybody. Whoever made the application has to mend its link.`}</p>
      <div className="row wrapping mt-6">
        {children}
        <Link className="btn" to="/">
          {t`Back to home`}
        </Link>
      </div>
    </>
  );
}

function AuthorizationSkeleton() {
  return (
    <div aria-busy="true">
      <Skeleton width="80%" height={36} />
      <Skeleton width="60%" height={16} />
      <div className="mt-6">
        <Skeleton height={176} />
      </div>
    </div>
  );
}

function isLocalDestination(redirectUri: string): boolean {
  return describeDestination(redirectUri) === "a program on this computer";
}

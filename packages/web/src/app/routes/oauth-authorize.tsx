import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { useSession, useUser } from "#/features/auth/user.ts";
import { type Answer, Decision, messageOf } from "#/features/oauth/decision.tsx";
import { type AuthorizationRequest, destinationOf, type ReadRequest, readRequest } from "#/features/oauth/request.ts";
import { feather } from "#/lib/feather.ts";
import { leaveFor } from "#/lib/leave.ts";

/** The authorization endpoint for browsers (RFC 6749, section 4.1.1). */
export default function AuthorizePage() {
  const [query] = useSearchParams();
  const read = readRequest(query);
  return (
    <div className="narrow wide">
      {typeof read === "string" ? <Refused why={read} /> : <Asked key={query.toString()} {...read} />}
    </div>
  );
}

function Asked({ request, asks }: ReadRequest) {
  const { client_id, redirect_uri, scope } = request;
  const { user } = useUser();
  const { logOut } = useSession();
  const description = useQuery({
    queryKey: ["oauth", "application", client_id, redirect_uri, scope],
    queryFn: async () => feather.oauth.application(client_id, { redirect_uri, ...(scope !== undefined && { scope }) }),
    staleTime: Number.POSITIVE_INFINITY, // the user must decide on what they have read
  });
  const isAllowed = description.data?.granted === true;
  const isActing = Boolean(user?.impersonated_by);
  if (!isActing && asks !== "always" && isAllowed) return <Silent request={request} />;
  if (!isActing && asks === "none" && description.data)
    return description.data.verified ? (
      <Silent request={request} />
    ) : (
      <Stop name={description.data.name} request={request} />
    );
  if (description.error)
    return <Fault request={request} error={description.error} again={() => void description.refetch()} />;
  if (!description.data || !user) return <Waiting />;

  async function decide(answer: Answer): Promise<void> {
    const { redirect_to } = await feather.oauth.authorize({ ...request, ...answer });
    leaveFor(redirect_to);
  }

  return (
    <Decision
      application={description.data}
      scopes={description.data.scopes}
      user={user}
      decide={decide}
      switchUser={logOut}
    >
      <p className="mid stranger">
        <Trans>
          Your answer goes to <strong>{destinationOf(redirect_uri)}</strong>.
        </Trans>
        {isHere(redirect_uri) ? ` ${t`Go on only if you started this yourself.`}` : null}
      </p>
    </Decision>
  );
}

/**
 * An unverified application asks with `prompt=none`. It is redirected to with an error only after the user
 * confirms, because otherwise a link to this server could lead to any address (open redirect).
 */
function Stop({ name, request }: { name: string; request: AuthorizationRequest }) {
  const [goesOn, setGoesOn] = useState(false);
  if (goesOn) return <Silent request={request} />;
  const destination = destinationOf(request.redirect_uri);
  return (
    <>
      <h1 className="h2 stranger">
        <bdi>{name}</bdi> {t`wants to know if you are signed in`}
      </h1>
      <p className="mid stranger">
        <Trans>
          Nobody of this server has looked at this application, and you have not allowed it. Going on leads to{" "}
          <strong>{destination}</strong>, which learns nothing about you.
        </Trans>
      </p>
      <div className="row wraps mt-6">
        <Link className="btn" to="/">
          {t`Back to home`}
        </Link>
        <button type="button" className="btn" onClick={() => setGoesOn(true)}>
          <Trans>Go on to {destination}</Trans>
        </button>
      </div>
    </>
  );
}

/** Authorizes without asking: consent was given before, or the request has `prompt=none`. The server decides. */
function Silent({ request }: { request: AuthorizationRequest }) {
  const { data, error } = useQuery({
    queryKey: ["oauth", "silent", request],
    queryFn: async () => feather.oauth.authorize({ ...request, prompt: "none", decision: "approve" }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY, // each response contains a new code
  });
  useEffect(() => {
    if (data) leaveFor(data.redirect_to);
  }, [data]);
  if (error) return <Refused why={messageOf(error)} />;
  return (
    <>
      <p className="mid" role="status">
        <Trans>Going back to {destinationOf(request.redirect_uri)} …</Trans>
      </p>
      <Waiting />
    </>
  );
}

/** The server rejected the request. For a 400, a denial returns where the application may be told of the error. */
function Fault({ request, error, again }: { request: AuthorizationRequest; error: Error; again(): void }) {
  const refused = isApiError(error) && error.status < 500;
  const { data } = useQuery({
    enabled: refused && error.status === 400,
    queryKey: ["oauth", "fault", request],
    queryFn: async () => feather.oauth.authorize({ ...request, decision: "deny" }),
    gcTime: 0,
  });
  if (!refused)
    return (
      <>
        <h1 className="h2">{t`Not now`}</h1>
        <p className="mid" role="alert">
          {messageOf(error)}
        </p>
        <button type="button" className="btn mt-6" onClick={again}>
          {t`Try again`}
        </button>
      </>
    );
  return (
    <Refused why={messageOf(error)}>
      {data ? (
        <button type="button" className="btn" onClick={() => leaveFor(data.redirect_to)}>
          <Trans>Back to {destinationOf(request.redirect_uri)}</Trans>
        </button>
      ) : null}
    </Refused>
  );
}

function Refused({ why, children }: { why: string; children?: ReactNode }) {
  return (
    <>
      <h1 className="h2">{t`This cannot be allowed`}</h1>
      <p className="mid stranger" role="alert">
        {why}
      </p>
      <p className="mid mt-4">{t`Nothing was given to anybody. Whoever made the application has to mend its link.`}</p>
      <div className="row wraps mt-6">
        {children}
        <Link className="btn" to="/">
          {t`Back to home`}
        </Link>
      </div>
    </>
  );
}

function Waiting() {
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

function isHere(redirectUri: string): boolean {
  return destinationOf(redirectUri) === "a program on this computer";
}

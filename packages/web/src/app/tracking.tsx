import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { useUser } from "#/entities/session/user.ts";
import type { Project } from "#/features/analytics/analytics.ts";
import { readAttribution } from "#/features/analytics/attribution.ts";
import { useAnalytics, useAnalyticsReady } from "#/features/analytics/context.ts";
import { redactUrl } from "#/features/analytics/redact.ts";

/** Sends the origin of the visit, the user and page views to analytics, once it is ready. */
export function Tracking({ project, arrivedAt }: { project: Project; arrivedAt: string }) {
  const analytics = useAnalytics();
  const ready = useAnalyticsReady();
  useEffect(() => void analytics.start(project), [analytics, project]);
  useIdentity(ready, arrivedAt);
  usePageViews(ready);
  return null;
}

function useIdentity(ready: boolean, arrivedAt: string): void {
  const analytics = useAnalytics();
  const { user, loading } = useUser();
  const [attribution] = useState(() => readAttribution(new URL(arrivedAt), document.referrer));
  const identified = useRef<string | null>(null);
  const [id, email, name] = [user?.id, user?.email, user?.name];
  const [groupId, groupName] = [user?.organization.id, user?.organization.name];
  useEffect(() => {
    if (!ready || loading) return;
    if (identified.current !== null && identified.current !== id) analytics.reset(); // another user has signed in
    identified.current = id ?? null;
    analytics.register(attribution);
    if (id !== undefined) analytics.identify(id, { email, name });
  }, [analytics, ready, loading, attribution, id, email, name]);
  useEffect(() => {
    if (!ready || loading || id === undefined || groupId === undefined) return;
    analytics.group("organization", groupId, { name: groupName });
  }, [analytics, ready, loading, id, groupId, groupName]);
}

function usePageViews(ready: boolean): void {
  const analytics = useAnalytics();
  const { pathname, search, hash } = useLocation();
  useEffect(() => {
    if (!ready) return;
    const path = redactUrl(pathname + search) + hash;
    analytics.capture("$pageview", { $current_url: globalThis.location.origin + path, path });
  }, [analytics, ready, pathname, search, hash]);
}

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router-dom";
import { attributionOf } from "#/features/analytics/attribution.ts";
import { useAnalytics, useAnalyticsReady } from "#/features/analytics/context.ts";
import { redactUrl } from "#/features/analytics/redact.ts";
import { useUser } from "#/features/auth/user.ts";
import { afterFirstPaint } from "#/lib/after-first-paint.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";

/** Tells analytics, whenever it runs, where the visit came from, who the visitor is, and which pages they open. */
export function useTracking(): void {
  useStart();
  const analytics = useAnalytics();
  const ready = useAnalyticsReady();
  const { user, loading } = useUser();
  const { pathname, search, hash } = useLocation();
  const [attribution] = useState(() => attributionOf(new URL(globalThis.location.href), document.referrer));
  const [id, email, name] = [user?.id, user?.email, user?.name];
  const identified = useRef<string | null>(null);

  useEffect(() => {
    if (!ready || loading) return;
    if (identified.current !== null && identified.current !== id) analytics.reset(); // this is somebody else
    identified.current = id ?? null;
    analytics.register(attribution);
    if (id !== undefined) analytics.identify(id, { email, name });
  }, [analytics, ready, loading, attribution, id, email, name]);

  useEffect(() => {
    if (!ready) return;
    const path = redactUrl(pathname + search) + hash;
    analytics.capture("$pageview", { $current_url: globalThis.location.origin + path, path });
  }, [analytics, ready, pathname, search, hash]);
}

/** After the first paint: what the operator has set, the version in the log, and analytics if there is a project. */
function useStart(): void {
  const analytics = useAnalytics();
  const client = useQueryClient();
  useEffect(() => {
    async function start(): Promise<void> {
      try {
        const config = await client.fetchQuery(siteConfigQuery);
        console.info(`${config.product_name} ${config.version}`);
        const { posthog_key: key, posthog_host: host, features } = config;
        if (key && host)
          await analytics.start({ key, host, beforeConsent: features?.analytics_before_consent === true });
      } catch (error) {
        console.warn("The settings of the site could not be read.", error);
      }
    }
    return afterFirstPaint(() => void start());
  }, [analytics, client]);
}

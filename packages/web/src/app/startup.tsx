import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import type { Project } from "#/features/analytics/analytics.ts";
import { runAfterFirstPaint } from "#/lib/browser/after-first-paint.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { siteConfigQuery } from "#/lib/site-config.ts";

// Not loaded if the operator has no analytics.
const Tracking = lazyComponent(async () => (await import("./tracking.tsx")).Tracking);

/** After the first paint: loads the site config, logs the version and starts analytics if a project is configured. */
export function Startup() {
  const client = useQueryClient();
  const [arrivedAt] = useState(() => globalThis.location.href); // before query parameters are removed from it
  const [project, setProject] = useState<Project | null>(null);
  useEffect(() => {
    async function start(): Promise<void> {
      try {
        const config = await client.fetchQuery(siteConfigQuery);
        console.info(`${config.product_name} ${config.version}`);
        const { posthog_key: key, posthog_host: host, features } = config;
        if (key && host) setProject({ key, host, startsBeforeConsent: features?.analytics_before_consent === true });
      } catch (error) {
        console.warn("The settings of the site could not be read.", error);
      }
    }
    return runAfterFirstPaint(() => void start());
  }, [client]);
  return project ? (
    <Suspense fallback={null}>
      <Tracking project={project} arrivedAt={arrivedAt} />
    </Suspense>
  ) : null;
}

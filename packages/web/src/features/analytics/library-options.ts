import type { PostHogConfig } from "posthog-js";
import { redactProperties } from "./redact.ts";

/**
 * How the analytics library is set up. What it does by itself and cannot be told: requests end after 60 s; failed ones are
 * tried again up to ten times, from 3 s on and at most 30 min apart, but not after 400 to 499; an event type over the
 * server's quota rests for 60 s; a session lasts 24 h at most.
 */
export function libraryOptions(host: string, warn: (...words: unknown[]) => void): Partial<PostHogConfig> {
  return {
    api_host: host,
    person_profiles: "always",
    capture_pageview: false, // the router tells, after each change
    capture_pageleave: false,
    autocapture: false, // what people click and type is their business
    rageclick: false,
    capture_dead_clicks: false,
    capture_heatmaps: false,
    capture_exceptions: false,
    disable_external_dependency_loading: true, // only scripts of this site run here
    disable_web_experiments: false,
    prepare_external_dependency_stylesheet: withoutInlineStyle,
    // Recordings, where the project has them on, show the shape of pages and none of their words: those may be secrets.
    session_recording: { maskAllInputs: true, maskTextSelector: "*", blockSelector: "img, video, canvas" },
    session_idle_timeout_seconds: 1800,
    cookie_expiration: 365,
    feature_flag_request_timeout_ms: 3000,
    rate_limiting: { events_per_second: 10, events_burst_limit: 100 },
    request_batching: true,
    opt_out_capturing_by_default: true, // it starts when it is told that it may
    opt_out_persistence_by_default: true,
    on_request_error: ({ statusCode, text }) => warn(`Bad HTTP status: ${statusCode} ${text ?? ""}`.trim()),
    before_send: (event) =>
      event && {
        ...event,
        properties: redactProperties(event.properties),
        ...(event.$set && { $set: redactProperties(event.$set) }),
        ...(event.$set_once && { $set_once: redactProperties(event.$set_once) }),
      },
  };
}

/**
 * Styles a survey as the content security policy allows: a `<style>` is refused, even an empty one, and a style sheet of
 * a script is not. The library puts what it gets into the survey's shadow root at once: a link that leads nowhere.
 */
export function withoutInlineStyle(style: HTMLStyleElement): HTMLStyleElement {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  const place = document.createElement("link");
  queueMicrotask(() => {
    const root = place.getRootNode();
    if (root instanceof ShadowRoot) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  });
  return place;
}

import type { PostHogConfig } from "posthog-js";
import { redactProperties } from "./redact.ts";

/**
 * Options of the analytics library. Fixed in the library: requests time out after 60 s; failed ones are retried up to
 * ten times, after 3 s to 30 min, except for status 400 to 499; an event type over the quota pauses for 60 s; a session
 * lasts 24 h at most.
 */
export function createLibraryOptions(host: string, warn: (...values: unknown[]) => void): Partial<PostHogConfig> {
  return {
    api_host: host,
    person_profiles: "always",
    capture_pageview: false, // the router captures page views, after each navigation
    capture_pageleave: false,
    autocapture: false, // clicks and input are private
    rageclick: false,
    capture_dead_clicks: false,
    capture_heatmaps: false,
    capture_exceptions: false,
    disable_external_dependency_loading: true, // only scripts of this site run here
    disable_web_experiments: false,
    prepare_external_dependency_stylesheet: adoptStyleSheet,
    // Recordings, if the project enables them, mask all text, which may be secret.
    session_recording: { maskAllInputs: true, maskTextSelector: "*", blockSelector: "img, video, canvas" },
    session_idle_timeout_seconds: 1800,
    cookie_expiration: 365,
    feature_flag_request_timeout_ms: 3000,
    rate_limiting: { events_per_second: 10, events_burst_limit: 100 },
    request_batching: true,
    opt_out_capturing_by_default: true, // it starts with the visitor's consent
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
 * Applies a survey's styles as an adopted style sheet, because the content security policy forbids `<style>`. Returns
 * an empty `<link>` for the library to insert; the sheet is added to its shadow root afterwards.
 */
export function adoptStyleSheet(style: HTMLStyleElement): HTMLStyleElement {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  const placeholder = document.createElement("link");
  queueMicrotask(() => {
    const root = placeholder.getRootNode();
    if (root instanceof ShadowRoot) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  });
  return placeholder;
}

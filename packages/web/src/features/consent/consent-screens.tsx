import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useEffect, useReducer, useRef } from "react";
import { Link } from "react-router-dom";
import { Dialog } from "#/components/ui/dialogs/dialog.tsx";
import { useIsHydrating } from "#/lib/browser/use-is-hydrating.ts";
import { subscribeToCookieSettings } from "#/lib/events/cookie-settings-event.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import styles from "./consent-screens.module.css";
import { useConsent } from "./context.ts";
import { acceptAll, type CookiePreferences } from "./preferences.ts";
import { screensReducer, showsBanner, showsButton } from "./screens-state.ts";

const PreferencesForm = lazyComponent(async () => (await import("./preferences-form.tsx")).PreferencesForm);

/** Banner, dialog and floating button for the cookie choice. */
export function ConsentScreens({ path }: { path: string }) {
  const { preferences, save } = useConsent();
  const [screensState, dispatch] = useReducer(screensReducer, { dialog: "closed" });
  useEffect(() => subscribeToCookieSettings(() => dispatch({ type: "open" })), []);
  const saveChoice = (choice: CookiePreferences): void => {
    save(choice);
    dispatch({ type: "close" });
  };
  return (
    <>
      {showsBanner(screensState, preferences.accepted) ? (
        <Banner onCustomize={() => dispatch({ type: "open" })} onAccept={() => saveChoice(acceptAll(Date.now()))} />
      ) : null}
      {showsButton(screensState, preferences.accepted, path) ? (
        <button
          type="button"
          className="btn icon cookie-button"
          aria-label={t`Cookie settings`}
          title={t`Cookie settings`}
          onClick={() => dispatch({ type: "open" })}
        >
          <CookieIcon />
        </button>
      ) : null}
      <Dialog
        open={screensState.dialog !== "closed"}
        onClose={() => dispatch({ type: "close" })}
        title={t`Cookie Preferences`}
        description={t`We use cookies to enhance your browsing experience, analyze site traffic, and personalize content.`}
      >
        {/* Suspends the dialog until it is loaded, so that it does not open empty. */}
        <PreferencesForm
          view={screensState.dialog === "detailed" ? "detailed" : "summary"}
          saved={preferences}
          onChoose={saveChoice}
          onCustomize={() => dispatch({ type: "details" })}
          onBack={() => dispatch({ type: "back" })}
          onLeave={() => dispatch({ type: "close" })}
        />
      </Dialog>
    </>
  );
}

function Banner({ onCustomize, onAccept }: { onCustomize(): void; onAccept(): void }) {
  const ref = useRef<HTMLElement>(null);
  useBannerHeight(ref);
  // The banner is painted before the site's scripts run; a press before then would be lost.
  const isHydrating = useIsHydrating();
  return (
    <section className={styles.cookieBanner} aria-label={t`Cookies`} ref={ref}>
      <div className="page-width">
        <p>
          <Trans>
            This site uses cookies to enhance your browsing experience. The{" "}
            <Link className="link" to="/cookie-policy">
              cookie policy
            </Link>{" "}
            says which and what for.
          </Trans>
        </p>
        <div className="row">
          <button type="button" className="btn" disabled={isHydrating} onClick={onCustomize}>
            {t`Customize`}
          </button>
          <button type="button" className="btn" disabled={isHydrating} onClick={onAccept}>
            {t`Accept All`}
          </button>
        </div>
      </div>
    </section>
  );
}

/** Publishes the banner's height, so that the page's end and focused elements are not covered. */
function useBannerHeight(ref: React.RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--banner-height", `${ref.current?.offsetHeight ?? 0}px`);
    measure();
    const observer = new ResizeObserver(measure);
    if (ref.current) observer.observe(ref.current);
    return () => {
      observer.disconnect();
      style.removeProperty("--banner-height");
    };
  }, [ref]);
}

function CookieIcon() {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
    >
      <path d="M8 1.700a6.300 6.300 0 1 0 6.300 6.300 2.600 2.600 0 0 1-3-3 2.600 2.600 0 0 1-3.300-3.300Z" />
      <path d="M6 6h.01M5.500 10h.01M9.500 10.500h.01" strokeLinecap="round" strokeWidth="1.800" />
    </svg>
  );
}

import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { acceptAll, type CookiePreferences, rejectAll, savePreferences } from "./preferences.ts";

type Props = {
  view: "summary" | "detailed";
  saved: CookiePreferences;
  choose(choice: CookiePreferences): void;
  customize(): void;
  back(): void;
  leave(): void;
};

/** Content of the cookie dialog: a summary, or a checkbox for each category. */
export function PreferencesForm({ view, saved, choose, customize, back, leave }: Props) {
  return view === "summary" ? (
    <>
      <p className="mt-4">
        <Trans>
          Essential cookies keep you signed in and the site working. With your permission we also count visits, to see
          which pages help. More in the{" "}
          <Link className="link" to="/cookie-policy" onClick={leave}>
            Cookie Policy
          </Link>
          .
        </Trans>
      </p>
      <div className="actions">
        <button type="button" className="btn" onClick={customize}>
          {t`Customize`}
        </button>
        <button type="button" className="btn primary" onClick={() => choose(acceptAll(Date.now()))}>
          {t`Accept All`}
        </button>
      </div>
    </>
  ) : (
    <Details saved={saved} choose={choose} back={back} />
  );
}

function Details({ saved, choose, back }: Pick<Props, "saved" | "choose" | "back">) {
  const [analytics, setAnalytics] = useState(saved.analytics);
  return (
    <>
      <fieldset className="cookie-kinds">
        <legend className="visually-hidden">{t`Kinds of cookies`}</legend>
        <Kind
          label={t`Essential Cookies`}
          text={t`Necessary: they keep you signed in and remember this choice. They cannot be switched off.`}
          checked
          disabled
        />
        <Kind
          label={t`Analytics Cookies`}
          text={t`They help us understand how the site is used: which pages are opened, and where visitors come from.`}
          checked={analytics}
          change={setAnalytics}
        />
      </fieldset>
      <div className="actions wraps">
        <button type="button" className="btn ghost first" onClick={back}>
          {t`Back`}
        </button>
        <button type="button" className="btn" onClick={() => choose(rejectAll(Date.now()))}>
          {t`Reject All`}
        </button>
        <button
          type="button"
          className="btn primary"
          onClick={() => choose(savePreferences(saved, { analytics }, Date.now()))}
        >
          {t`Save Preferences`}
        </button>
      </div>
    </>
  );
}

type KindProps = { label: string; text: string; checked: boolean; disabled?: boolean; change?(checked: boolean): void };

function Kind({ label, text, checked, disabled = false, change }: KindProps) {
  const id = useId();
  return (
    <div className="cookie-kind">
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={id}
          onChange={(event) => change?.(event.target.checked)}
        />
        <strong>{label}</strong>
      </label>
      <p className="small mid" id={id}>
        {text}
      </p>
    </div>
  );
}

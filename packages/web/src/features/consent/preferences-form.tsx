import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useId, useState } from "react";
import { Link } from "react-router-dom";
import { acceptAll, type CookiePreferences, rejectAll, savePreferences } from "./preferences.ts";
import styles from "./preferences-form.module.css";

type Props = {
  view: "summary" | "detailed";
  saved: CookiePreferences;
  onChoose(choice: CookiePreferences): void;
  onCustomize(): void;
  onBack(): void;
  onLeave(): void;
};

/** Content of the cookie dialog: a summary, or a checkbox for each category. */
export function PreferencesForm({ view, saved, onChoose, onCustomize, onBack, onLeave }: Props) {
  return view === "summary" ? (
    <>
      <p className="mt-4">
        <Trans>
          Essential cookies keep you signed in and the site working. With your permission we also count visits, to see
          which pages help. More in the{" "}
          <Link className="link" to="/cookie-policy" onClick={onLeave}>
            Cookie Policy
          </Link>
          .
        </Trans>
      </p>
      <div className="actions">
        <button type="button" className="btn" onClick={onCustomize}>
          {t`Customize`}
        </button>
        <button type="button" className="btn primary" onClick={() => onChoose(acceptAll(Date.now()))}>
          {t`Accept All`}
        </button>
      </div>
    </>
  ) : (
    <DetailedForm saved={saved} onChoose={onChoose} onBack={onBack} />
  );
}

function DetailedForm({ saved, onChoose, onBack }: Pick<Props, "saved" | "onChoose" | "onBack">) {
  const [analytics, setAnalytics] = useState(saved.analytics);
  return (
    <>
      <fieldset className={styles.cookieKinds}>
        <legend className="visually-hidden">{t`Kinds of cookies`}</legend>
        <CategoryField
          label={t`Essential Cookies`}
          text={t`Necessary: they keep you signed in and remember this choice. They cannot be switched off.`}
          checked
          disabled
        />
        <CategoryField
          label={t`Analytics Cookies`}
          text={t`They help us understand how the site is used: which pages are opened, and where visitors come from.`}
          checked={analytics}
          onChange={setAnalytics}
        />
      </fieldset>
      <div className="actions wrapping">
        <button type="button" className="btn ghost first" onClick={onBack}>
          {t`Back`}
        </button>
        <button type="button" className="btn" onClick={() => onChoose(rejectAll(Date.now()))}>
          {t`Reject All`}
        </button>
        <button
          type="button"
          className="btn primary"
          onClick={() => onChoose(savePreferences(saved, { analytics }, Date.now()))}
        >
          {t`Save Preferences`}
        </button>
      </div>
    </>
  );
}

type CategoryFieldProps = {
  label: string;
  text: string;
  checked: boolean;
  disabled?: boolean;
  onChange?(checked: boolean): void;
};

function CategoryField({ label, text, checked, disabled = false, onChange }: CategoryFieldProps) {
  const id = useId();
  return (
    <div className={styles.cookieKind}>
      <label className="check">
        <input
          type="checkbox"
          checked={checked}
          disabled={disabled}
          aria-describedby={id}
          onChange={(event) => onChange?.(event.target.checked)}
        />
        <strong>{label}</strong>
      </label>
      <p className="small muted" id={id}>
        {text}
      </p>
    </div>
  );
}

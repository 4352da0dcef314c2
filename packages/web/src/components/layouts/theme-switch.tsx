import { t } from "@lingui/core/macro";
import { useEffect, useId, useState } from "react";
import { applyTheme, readTheme, type Theme } from "#/lib/preferences/theme.ts";
import styles from "./theme-switch.module.css";

const THEMES: readonly (readonly [Theme, string])[] = [
  ["system", t`System`],
  ["light", t`Light`],
  ["dark", t`Dark`],
];

/** Radio buttons for the light, dark or system theme. */
export function ThemeSwitch() {
  const name = useId();
  const [theme, setTheme] = useState<Theme>("system");
  // The saved theme is only known in the browser, not during prerendering.
  useEffect(() => setTheme(readTheme()), []);
  return (
    <fieldset className={styles.themeSwitch}>
      <legend className="visually-hidden">{t`Theme`}</legend>
      {THEMES.map(([value, label]) => (
        <label key={value}>
          <input
            type="radio"
            className="visually-hidden"
            name={name}
            value={value}
            checked={theme === value}
            onChange={() => {
              applyTheme(value);
              setTheme(value);
            }}
          />
          <span>{label}</span>
        </label>
      ))}
    </fieldset>
  );
}

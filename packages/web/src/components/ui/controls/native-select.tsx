import styles from "./native-select.module.css";

type Props<Value extends string> = {
  "aria-label": string;
  value: Value;
  options: readonly { value: Value; label: string; lang?: string }[];
  onChange(value: Value): void;
};

/**
 * The browser's own select, which looks like a button. For public pages, whose first visit would load the list of `Select`
 * for it alone.
 */
export function NativeSelect<Value extends string>({ value, options, onChange, ...label }: Props<Value>) {
  return (
    <select
      {...label}
      className={`btn ${styles.select}`}
      value={value}
      // The list has no other values than those of the options.
      onChange={(event) => onChange(event.target.value as Value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value} lang={option.lang}>
          {option.label}
        </option>
      ))}
    </select>
  );
}

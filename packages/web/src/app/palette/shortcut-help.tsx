import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { DialogBase } from "#/components/ui/dialogs/dialog-base.tsx";
import styles from "./shortcut-help.module.css";
import { GO_KEYS } from "./shortcut-keys.ts";

type Props = { open: boolean; close(): void; modifier: string; singleKeys: boolean; setSingleKeys(on: boolean): void };

/** Lists all shortcuts, with a switch for single-key ones, which interfere with speech input (WCAG 2.1.4). */
export function ShortcutHelp({ open, close, modifier, singleKeys, setSingleKeys }: Props) {
  const rows: [string[], string][] = [
    [[modifier, "K"], t`Find a page, a model or an action`],
    [["/"], t`Search models`],
    [["?"], t`This sheet`],
    ...Object.entries(GO_KEYS).map(([key, { label }]): [string[], string] => [["G", key.toUpperCase()], label]),
  ];
  return (
    <DialogBase open={open} onClose={close} title={t`Keyboard shortcuts`}>
      <table className={`${styles.keys} mt-4`}>
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{t`What it does`}</th>
            <th scope="col">{t`Shortcut`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([keys, label]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <label className="check mt-4">
        <input type="checkbox" checked={singleKeys} onChange={(event) => setSingleKeys(event.target.checked)} />
        <Trans>Shortcuts without {modifier}</Trans>
      </label>
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          {t`Close`}
        </button>
      </div>
    </DialogBase>
  );
}

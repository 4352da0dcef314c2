import { DialogBase } from "#/components/ui/dialog-base.tsx";
import { GO_KEYS } from "./keys.ts";

type Props = { open: boolean; close(): void; modifier: string; singleKeys: boolean; setSingleKeys(on: boolean): void };

/** All keys, and a switch for those that are a letter alone: they get in the way of who speaks to the computer. */
export function HelpSheet({ open, close, modifier, singleKeys, setSingleKeys }: Props) {
  const rows: [string[], string][] = [
    [[modifier, "K"], "Find a page, a model or an action"],
    [["/"], "Search models"],
    [["?"], "This sheet"],
    ...Object.entries(GO_KEYS).map(([key, { label }]): [string[], string] => [["G", key.toUpperCase()], label]),
  ];
  return (
    <DialogBase open={open} onClose={close} title="Keyboard shortcuts">
      <table className="keys mt-4">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">What it does</th>
            <th scope="col">Keys</th>
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
        Shortcuts without {modifier}
      </label>
      <div className="actions">
        <button type="button" className="btn" onClick={close}>
          Close
        </button>
      </div>
    </DialogBase>
  );
}

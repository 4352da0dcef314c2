import { type ReactNode, useId } from "react";

type Props = { title: string; about: ReactNode; action?: ReactNode; children?: ReactNode };

/** A part of a settings page: what it is about and what follows from a change, and beside that the control. */
export function SettingsSection({ title, about, action, children }: Props) {
  const id = useId();
  return (
    <section className="settings-section" aria-labelledby={id}>
      <div>
        <h2 className="h4" id={id}>
          {title}
        </h2>
        <div className="small mid mt-2">{about}</div>
        {action ? <div className="row wraps mt-3">{action}</div> : null}
      </div>
      {children ? <div className="control">{children}</div> : null}
    </section>
  );
}

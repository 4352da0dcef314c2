import type { ContentItem } from "@feather/sdk";
import { t } from "@lingui/core/macro";

type Props = { item: ContentItem; takeTheirs(): void; keepMine(): void };

/** Says that another admin changed what this one is editing, and lets them choose. */
export function ContentConflict({ item: { edited_by: by }, takeTheirs, keepMine }: Props) {
  return (
    <div className="notice mt-4" role="alert">
      <p className="user-text">
        {by === null
          ? t`Another admin changed this while you were editing it.`
          : t`${by} changed this while you were editing it.`}
      </p>
      <div className="row wrapping mt-3">
        <button type="button" className="btn" onClick={takeTheirs}>
          {t`Drop mine`}
        </button>
        <button type="button" className="btn" onClick={keepMine}>
          {t`Go on with mine`}
        </button>
      </div>
    </div>
  );
}

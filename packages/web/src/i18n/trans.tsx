import { LinguiContext, Trans as LinguiTrans, type TransProps } from "@lingui/react";
import { i18n } from "./runtime.ts";

const context = { i18n, _: i18n._.bind(i18n) };

/** A text with elements in it. It needs no provider: another language begins with a fresh page. */
export function Trans(props: TransProps) {
  return (
    <LinguiContext value={context}>
      <LinguiTrans {...props} />
    </LinguiContext>
  );
}

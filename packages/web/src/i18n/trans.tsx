import { LinguiContext, Trans as LinguiTrans, type TransProps } from "@lingui/react";
import { i18n } from "./runtime.ts";

const context = { i18n, _: i18n._.bind(i18n) };

/** A message that contains elements. It needs no provider, because a change of language reloads the page. */
export function Trans(props: TransProps) {
  return (
    <LinguiContext value={context}>
      <LinguiTrans {...props} />
    </LinguiContext>
  );
}

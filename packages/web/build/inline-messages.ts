import type { NodePath, PluginObject, types } from "@babel/core";
import { compileMessageOrThrow } from "@lingui/message-utils/compileMessage";

const isMessage = ({ leadingComments }: types.ObjectExpression) =>
  leadingComments?.some(({ value }) => value.trim() === "* i18n") ?? false;

/**
 * Babel plugin that precompiles the English messages that Lingui's macros leave inline, so that browsers need no
 * parser.
 */
export const inlineMessages = ({ types: t }: { types: typeof types }): PluginObject => ({
  name: "feather-inline-messages",
  visitor: {
    ObjectExpression(path: NodePath<types.ObjectExpression>) {
      if (!isMessage(path.node)) return;
      for (const property of path.node.properties) {
        if (!t.isObjectProperty(property) || !t.isIdentifier(property.key, { name: "message" })) continue;
        if (!t.isStringLiteral(property.value)) continue;
        const tokens = compileMessageOrThrow(property.value.value);
        const [only] = tokens;
        property.value =
          tokens.length === 1 && typeof only === "string"
            ? t.stringLiteral(only)
            : t.valueToNode(JSON.parse(JSON.stringify(tokens)));
      }
    },
  },
});

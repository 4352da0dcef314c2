/** Inputs without text entry: single-key shortcuts work while they have the focus. */
const NON_TEXT_INPUTS =
  "[type=checkbox], [type=radio], [type=range], [type=file], [type=button], [type=submit], [type=reset]";
const TEXT_FIELDS = `input:not(${NON_TEXT_INPUTS}), textarea, select, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=searchbox], [role=spinbutton]`;
/** Lists and menus choose an entry by its first letters. */
const LISTS = "[role=combobox], [role=listbox], [role=menu], [role=tree], [role=grid]";
const POPUPS = "[role=dialog], [role=alertdialog], [role=menu]";

/** The attribute of a field to which all letters typed on its page go, wherever the focus is. */
export const TYPING_TARGET_ATTRIBUTE = "data-typing-target";

/** Returns whether an element takes the letters that are typed while it has the focus. */
export function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(`${TEXT_FIELDS}, ${LISTS}`) !== null;
}

/** Returns whether a dialog or a menu is open. */
export const isPopupOpen = (page: ParentNode = document): boolean => page.querySelector(POPUPS) !== null;

/**
 * Returns whether the letters of a key press belong to an element of the page, and so are no shortcuts: to a focused
 * field or list, to an open dialog (a shortcut could leave the page and lose its content), or to the only field of a
 * page that exists for typing into it.
 */
export function takesKeys(target: EventTarget | null, page: ParentNode = document): boolean {
  return isTyping(target) || isPopupOpen(page) || page.querySelector(`[${TYPING_TARGET_ATTRIBUTE}]`) !== null;
}

/** The colour of the picture, which a model that sees nothing rarely guesses. */
export const PLAIN_PICTURE_COLOUR = "orange";

/** A PNG of 64 by 64 pixels, all of them #ff8c00, as a data URL. Smaller ones are refused by some models. */
export const PLAIN_PICTURE =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAATUlEQVR42u3PQQkAAAgEsOuPnb0IvoXBCiw7eS0CAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgICApcCCQexaQtDixEAAAAASUVORK5CYII=";

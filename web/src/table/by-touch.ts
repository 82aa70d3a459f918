// Placing by touch, the same in every game: what is touched is shown, where the finger is lifted is what it meant, and
// lifted beside the board it meant nothing. A finger cannot be sure of what is smaller than this, in pixels: there it
// aims first, and a tap on what it has aimed at places.
export const SURE_PX = 36;

// A file of its own, so that it can be fetched when the board is there.
export { domAnimation as default } from "motion/react";

int cwire_placeholder;

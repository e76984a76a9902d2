package tell

import (
	_ "embed" // for the words
	"encoding/json"
	"fmt"
	"strings"
)

//go:embed words_en.json
var english []byte

//go:embed words_tr.json
var turkish []byte

// Args fill the placeholders of a text, such as {n}. A placeholder never carries a suffix.
type Args map[string]any

// Words are the texts of one language, by their keys.
type Words struct {
	lang  string
	texts map[string]string
}

// WordsIn reads the words of a language, en or tr, and further ones beside them, as JSON objects.
func WordsIn(lang string, more ...[]byte) (Words, error) {
	own, known := map[string][]byte{"en": english, "tr": turkish}[lang]
	if !known {
		return Words{}, fmt.Errorf("there are no words in %q, only in en and tr", lang)
	}
	w := Words{lang: lang, texts: map[string]string{}}
	for _, file := range append([][]byte{own}, more...) {
		if err := json.Unmarshal(file, &w.texts); err != nil {
			return Words{}, fmt.Errorf("read the words in %s: %w", lang, err)
		}
	}
	return w, nil
}

// Lang is the language: en or tr.
func (w Words) Lang() string { return w.lang }

// Has says whether there is a text.
func (w Words) Has(key string) bool { return w.texts[key] != "" }

// T is a text with its placeholders filled; the key itself where there is none, which shows at once.
func (w Words) T(key string, args ...Args) string {
	text, known := w.texts[key]
	if !known {
		return key
	}
	for _, more := range args {
		for name, value := range more {
			text = strings.ReplaceAll(text, "{"+name+"}", fmt.Sprint(value))
		}
	}
	return text
}

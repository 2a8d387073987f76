// Receives webhooks of Countersign. Needs Go 1.19 or newer and no module:
//
//	WEBHOOK_SECRET=whsec_… PORT=8080 go run receiver.go
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	tolerance = 300 * time.Second
	bytesMax  = 1_000_000
)

type event struct {
	ID    string `json:"id"`
	Event string `json:"event"`
	Data  struct {
		Document struct {
			ID string `json:"id"`
		} `json:"document"`
	} `json:"data"`
}

// Keep these in your database: an event can arrive more than once.
var handled sync.Map

// handle returns an error when the event must be delivered again.
func handle(received event) error {
	fmt.Println(received.Event, received.Data.Document.ID)
	// document.completed: get the sealed PDF with GET /api/v1/documents/{id}/download
	return nil
}

// isSigned checks the exact bytes that arrived, in constant time. There is one v1 for each valid secret.
func isSigned(header string, body []byte, secret string) bool {
	var sentAt string
	var signatures []string
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "t":
			sentAt = value
		case "v1":
			signatures = append(signatures, value)
		}
	}
	seconds, err := strconv.ParseInt(sentAt, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(sentAt + "."))
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, signature := range signatures {
		received, err := hex.DecodeString(signature)
		if err == nil && hmac.Equal(received, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	if secret == "" {
		log.Fatal("Set WEBHOOK_SECRET to the signing secret of the endpoint.")
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "8080"
	}
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, bytesMax))
		var received event
		if err != nil || !isSigned(request.Header.Get("X-Service-Signature"), body, secret) || json.Unmarshal(body, &received) != nil {
			http.Error(response, "bad signature", http.StatusBadRequest)
			return
		}
		// Answer within 10 seconds. Do slow work afterwards, in a queue of your own.
		if _, isKnown := handled.Load(received.ID); !isKnown {
			if err := handle(received); err != nil {
				log.Print(err)
				http.Error(response, "not handled", http.StatusInternalServerError)
				return
			}
			// Only now, so that an event that failed is handled when it is delivered again.
			handled.Store(received.ID, true)
		}
		response.WriteHeader(http.StatusNoContent)
	})
	fmt.Println("listening on http://127.0.0.1:" + port)
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
